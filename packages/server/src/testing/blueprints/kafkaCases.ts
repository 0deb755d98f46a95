import { expect } from 'vitest';
import type { Case, Cases } from './case.ts';
import { perform } from './perform.ts';
import type { Services } from './services.ts';

const missing = process.env.MILLRACE_TEST_KAFKA === undefined ? 'Kafka is not installed' : undefined;

const address = async (services: Services) => `127.0.0.1:${(await services.kafka()).port}`;
const kafkaEdits = async (services: Services) =>
  [['kafka.example.com:9092', await address(services)]] as const;

const produced =
  (topic: string, from: string): NonNullable<Case['before']> =>
  async (running) =>
    void (await perform(
      running,
      `  - id: send
    type: kafka.Produce
    properties: {bootstrap.servers: "${await address(running.services)}"}
    topic: ${topic}
    from: ${from}
`,
    ));

/** Blueprints of Kafka, with a real broker. */
export const kafkaCases: Cases = {
  'kafka-orders-realtime': {
    missing,
    edits: kafkaEdits,
    before: async (running) => {
      running.services.internet.on(/^PUT https:\/\/api\.example\.com\/orders\//, { body: {} });
      // The group of the blueprint begins at the end of the topic, which must exist.
      await produced('orders', '[{key: "0", value: \'{"n": 0}\'}]')(running);
    },
    repeats: true,
    cause: produced('orders', '[{key: "7", value: \'{"n": 7}\'}]'),
    check: (_, { services }) =>
      expect(services.internet.bodiesOf('PUT https://api.example.com/orders/7')[0]).toEqual({ n: 7 }),
  },
  'kafka-to-parquet': {
    missing,
    edits: async (services) => [
      ...(await kafkaEdits(services)),
      ['topic: orders\n', 'topic: archived\n'],
      ['interval: PT1H', 'interval: PT1S'],
    ],
    before: produced('archived', '[{value: \'{"id": 1}\'}, {value: no json}, {value: \'{"id": 2}\'}]'),
    cause: () => {},
    check: async (ended, running) => {
      expect((await ended.file(ended.output('parquet').uri)).subarray(0, 4).toString()).toBe('PAR1');
      const unreadable = await perform(
        running,
        `  - id: read
    type: kafka.Consume
    properties: {bootstrap.servers: "${await address(running.services)}", auto.offset.reset: earliest}
    topic: orders_unreadable
    pollDuration: PT2S
`,
      );
      expect(unreadable.messagesCount).toBe(1);
    },
  },
  'postgresql-changes-to-kafka': {
    missing,
    edits: async (services) => {
      const { port } = new URL((await services.captured()).url);
      return [
        ...(await kafkaEdits(services)),
        ['db.example.com', '127.0.0.1'],
        ['"5432"', `"${port}"`],
        ['database: shop', 'database: postgres'],
        ["trigger.uris['shop.orders']", "trigger.uris['postgres.orders']"],
        ['interval: PT1M', 'interval: PT1S'],
      ];
    },
    before: async (running) => {
      const { host } = new URL((await running.services.captured()).url);
      await perform(
        running,
        `  - id: table
    type: jdbc.postgresql.Queries
    url: jdbc:postgresql://${host}/postgres
    username: postgres
    sql: |
      CREATE TABLE orders (id int PRIMARY KEY, total int);
      INSERT INTO orders VALUES (1, 90), (2, 200);
`,
      );
    },
    cause: () => {},
    check: (ended) => expect(ended.output('send')).toMatchObject({ messagesCount: 2 }),
  },
};
