import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { Cases } from './case.ts';
import { postgresEdits, tables } from './databaseCases.ts';
import { perform } from './perform.ts';
import type { Services } from './services.ts';

const natsUrl = async (services: Services) =>
  [['nats.example.com:4222', `127.0.0.1:${(await services.nats()).port}`]] as const;

const rabbitHost = async (services: Services, indent: string) =>
  [
    ['host: rabbitmq.example.com', `host: 127.0.0.1\n${indent}port: ${(await services.rabbit()).port}`],
  ] as const;

const mqttUrl = async (services: Services) => `tcp://127.0.0.1:${(await services.mqtt()).port}`;

/** Blueprints of Redis and of message brokers, each a real server. */
export const brokerCases: Cases = {
  'queue-in-redis': {
    edits: async (services) => [['redis.example.com:6379', `127.0.0.1:${(await services.redis()).port}`]],
    cause: async (running) => {
      const { port } = await running.services.redis();
      await perform(
        running,
        `  - id: push
    type: redis.list.ListPush
    url: redis://:value-of-REDIS_PASSWORD@127.0.0.1:${port}/0
    key: jobs
    from: [first]
`,
      );
    },
    check: async (ended, running) => {
      const { port } = await running.services.redis();
      const found = await perform(
        running,
        `  - id: get
    type: redis.string.Get
    url: redis://:value-of-REDIS_PASSWORD@127.0.0.1:${port}/0
    key: "result:${ended.id}"
`,
      );
      expect(found.data).toBe('done: first');
    },
  },
  'mqtt-sensor-alarm': {
    edits: async (services) => [['ssl://mqtt.example.com:8883', await mqttUrl(services)]],
    before: async (running) => {
      running.services.internet.on(/^POST https:\/\/hooks\.slack\.example\.com\//, { body: 'ok' });
      const publish = (sensor: string, celsius: number) => `  - id: ${sensor}
    type: mqtt.Publish
    server: SERVER
    clientId: test-${sensor}
    topic: sensors/${sensor}/temperature
    retain: true
    serdeType: JSON
    from: {sensor: ${sensor}, celsius: ${celsius}}
`;
      const tasks = `${publish('cellar', 12)}${publish('boiler', 91.5)}`;
      await perform(running, tasks.replaceAll('SERVER', await mqttUrl(running.services)));
    },
    cause: () => {},
    check: (_, { services }) =>
      expect(services.internet.bodiesOf(/slack/)).toEqual([{ text: 'boiler: 91.5 °C' }]),
  },
  'nats-orders-to-database': {
    edits: async (services) => [...(await natsUrl(services)), ...(await postgresEdits(services))],
    before: async (running) => {
      await tables('DROP TABLE IF EXISTS orders', 'CREATE TABLE orders (body jsonb)')(running);
      const [[, address]] = await natsUrl(running.services);
      await perform(
        running,
        `  - id: stream
    type: nats.core.Request
    url: nats://${address}
    subject: $JS.API.STREAM.CREATE.ORDERS
    from: '{"name": "ORDERS", "subjects": ["orders.>"]}'
  - id: send
    type: nats.core.Produce
    url: nats://${address}
    subject: orders.new
    from: {data: '{"order": 1}'}
`,
      );
    },
    cause: () => {},
    check: async (_, { services }) =>
      expect(await (await services.postgres()).query('SELECT body FROM orders')).toEqual([
        { body: { order: 1 } },
      ]),
  },
  'rows-to-nats': {
    edits: async (services) => [
      ...(await natsUrl(services)),
      ...(await postgresEdits(services)),
      ['interval: PT1M', 'interval: PT1S'],
    ],
    before: tables(
      'DROP TABLE IF EXISTS orders',
      'CREATE TABLE orders (id int, status text, total int, sent boolean)',
      "INSERT INTO orders VALUES (1, 'paid', 90, false), (2, 'paid', 1, true)",
    ),
    cause: () => {},
    check: (ended) => expect(ended.output('send')).toMatchObject({ messagesCount: 1 }),
  },
  'nats-service-call': {
    edits: natsUrl,
    before: async ({ services }) => serveCustomers((await services.nats()).port),
    check: async (ended, running) => {
      expect(ended.output('ask').response).toBe('Ada');
      const [[, address]] = await natsUrl(running.services);
      const kept = await perform(
        running,
        `  - id: get
    type: nats.kv.Get
    url: nats://${address}
    bucketName: customers
    keys: [c-1]
`,
      );
      expect(JSON.stringify(kept)).toContain('Ada');
    },
  },
  'rabbitmq-dead-letters': {
    edits: (services) => rabbitHost(services, '      '),
    check: async (_, running) => {
      const { port } = await running.services.rabbit();
      const published = await perform(
        running,
        `  - id: publish
    type: amqp.Publish
    host: 127.0.0.1
    port: ${port}
    exchange: orders
    routingKey: any
    from: {data: hello}
`,
      );
      expect(published.messagesCount).toBe(1);
    },
  },
  'rabbitmq-to-csv': {
    edits: async (services) => [
      ...(await rabbitHost(services, '    ')),
      ['queue: orders', 'queue: orders_to_csv'],
      ['interval: PT5M', 'interval: PT1S'],
      ['maxDuration: PT10S', 'maxDuration: PT1S'],
    ],
    before: async (running) => {
      const { port } = await running.services.rabbit();
      await perform(
        running,
        `  - id: queue
    type: amqp.CreateQueue
    host: 127.0.0.1
    port: ${port}
    name: orders_to_csv
  - id: publish
    type: amqp.Publish
    host: 127.0.0.1
    port: ${port}
    exchange: ""
    routingKey: orders_to_csv
    serdeType: JSON
    from:
      - data: {id: 1, amount: 90}
      - data: {id: 2, amount: 200}
`,
      );
    },
    cause: () => {},
    check: async (ended) =>
      expect(String(await ended.file(ended.output('csv').uri))).toBe('id,amount\n1,90\n2,200\n'),
  },
};

/** A service on NATS that knows one customer. */
function serveCustomers(port: number): void {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write('CONNECT {"verbose":false}\r\nSUB customers.get 1\r\n');
  socket.on('data', (chunk) => {
    const text = chunk.toString();
    if (text.startsWith('PING')) socket.write('PONG\r\n');
    const reply = /MSG customers\.get 1 (\S+) \d+\r\n/.exec(text)?.[1];
    if (reply !== undefined) socket.write(`PUB ${reply} 3\r\nAda\r\n`);
  });
}
