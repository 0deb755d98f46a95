import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '@millrace/contract';
import { startRabbitMq } from '@millrace/plugin-amqp/testing';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

/** Messages of each broker between two kills. */
const part = 100;
const kills = 3;
const redeliverAfterNs = 1_000_000_000;

interface Brokers {
  readonly natsServer: RunningServer;
  readonly rabbit: RunningServer;
  readonly mosquitto: RunningServer;
  readonly redis: RunningServer;
}

let brokers: Brokers;
let nats: NatsConnection;
let data: string;
let product: Product | undefined;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'millrace-'));
  const [natsServer, rabbit, mosquitto, redis] = await Promise.all([
    startRealServer({
      program: 'nats-server',
      args: ({ host, port, folder }) => ['-a', host, '-p', String(port), '-js', '-sd', folder],
    }),
    startRabbitMq(),
    startRealServer({
      program: '/usr/sbin/mosquitto',
      args: ({ folder }) => ['-c', join(folder, 'mosquitto.conf')],
      prepare: ({ folder, host, port }) => {
        const user = process.getuid?.() === 0 ? 'user root\n' : '';
        const settings = `listener ${port} ${host}\nallow_anonymous true\npersistence false\n${user}`;
        writeFileSync(join(folder, 'mosquitto.conf'), settings);
      },
    }),
    startRealServer({
      program: 'redis-server',
      args: ({ port, folder }) => ['--port', String(port), '--dir', folder, '--save', ''],
    }),
  ]);
  brokers = { natsServer, rabbit, mosquitto, redis };
  nats = await connect({ servers: `${natsServer.host}:${natsServer.port}` });
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'orders', subjects: ['orders.>'] });
  // Messages without an acknowledgment are delivered again soon, so that the test need not wait for half a minute.
  for (const durable_name of ['each', 'many'])
    await manager.consumers.add('orders', {
      durable_name,
      ack_policy: 'explicit',
      ack_wait: redeliverAfterNs,
    });
});

afterEach(async () => {
  await product?.stop('SIGKILL');
  await nats?.close();
  await Promise.all(Object.values(brokers ?? {}).map((broker: RunningServer) => broker.stop()));
  rmSync(data, { recursive: true, force: true });
});

const flow = (id: string, lines: readonly string[]) => `id: ${id}
namespace: journey
tasks:
  - id: show
    type: core.log.Log
    message: "{{ execution.id }}"
triggers:
  - id: orders
${lines.map((line) => `    ${line}\n`).join('')}`;

const places = () => {
  const { natsServer, rabbit, mosquitto, redis } = brokers;
  return {
    nats: [`url: nats://${natsServer.host}:${natsServer.port}`, 'subject: orders.>'],
    amqp: [`host: ${rabbit.host}`, `port: "${rabbit.port}"`],
    mqtt: (clientId: string) => [
      `server: tcp://${mosquitto.host}:${mosquitto.port}`,
      `clientId: ${clientId}`,
      'qos: 1',
    ],
    redis: [`url: redis://${redis.host}:${redis.port}`, 'serdeType: JSON'],
  };
};

/** The realtime trigger of each broker, and the text of the message in the variables of its executions. */
const realtime: Readonly<
  Record<string, { readonly lines: () => string[]; readonly text: (variables: Variables) => unknown }>
> = {
  each: {
    lines: () => ['type: nats.core.RealtimeTrigger', ...places().nats, 'durableId: each'],
    text: ({ data: text }) => text,
  },
  amqp: {
    lines: () => ['type: amqp.RealtimeTrigger', ...places().amqp, 'queue: orders'],
    text: ({ data: text }) => text,
  },
  mqtt: {
    lines: () => ['type: mqtt.RealtimeTrigger', ...places().mqtt('reader'), 'topic: orders/#'],
    text: ({ payload }) => (payload as { data: string }).data,
  },
  list: {
    lines: () => ['type: redis.list.RealtimeTrigger', ...places().redis, 'key: jobs'],
    text: ({ value }) => (value as { data: string }).data,
  },
  stream: {
    lines: () => ['type: redis.stream.RealtimeTrigger', ...places().redis, 'key: orders'],
    text: ({ fields }) => (fields as { data: string }).data,
  },
};

/** Publishes with the product itself: the list of `{"data": …}` of the input to every broker but NATS. */
const publisher = () => {
  const task = (id: string, type: string, lines: readonly string[]) =>
    [`- id: ${id}`, `  type: ${type}`, ...lines.map((line) => `  ${line}`)]
      .map((line) => `      ${line}\n`)
      .join('');
  const from = `from: "{{ inputs.messages }}"`;
  return `id: publish
namespace: journey
inputs:
  - id: messages
    type: JSON
tasks:
  - id: create
    type: amqp.CreateQueue
    ${places().amqp.join('\n    ')}
    name: orders
  - id: all
    type: core.flow.Parallel
    tasks:
${[
  task('amqp', 'amqp.Publish', [...places().amqp, 'exchange: ""', 'routingKey: orders', from]),
  task('mqtt', 'mqtt.Publish', [
    ...places().mqtt('writer'),
    ...['topic: orders/new', 'serdeType: JSON', 'retain: true', from],
  ]),
  task('list', 'redis.list.ListPush', [...places().redis, 'key: jobs', from]),
  task('stream', 'redis.stream.Add', [...places().redis, 'key: orders', from]),
].join('')}`;
};

type Variables = Readonly<Record<string, unknown>>;

const search = (flowId: string, size: string) =>
  new Api(product?.url ?? '').searchExecutions({ namespace: 'journey', flowId, size });

const countOf = async (flowId: string): Promise<number> => (await search(flowId, '1')).total;

const executionsOf = async (flowId: string): Promise<readonly Execution[]> =>
  (await search(flowId, '1000')).results;

const variables = ({ trigger }: Execution): Variables => trigger?.variables ?? {};

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(50);
}

it('loses no message of NATS, RabbitMQ, Mosquitto and Redis to kill -9', async () => {
  product = await launchProduct({ data });
  await new Api(product.url).saveFlow(publisher());
  /** Starts to publish, and returns how to wait for it, also on the next server. */
  const publish = async (texts: readonly string[]) => {
    const sent = JSON.stringify(texts.map((text) => ({ data: text })));
    const { id } = await new Api(product?.url ?? '').execute('journey', 'publish', { messages: sent });
    const toNats = (async () => {
      for (const text of texts) await jetstream(nats).publish('orders.new', text);
    })();
    return async () => {
      await toNats;
      await new Api(product?.url ?? '').waitForExecution(id, ({ state }) => state.current === 'SUCCESS');
    };
  };
  // The first message creates the queues. Mosquitto retains it, so its execution shows that the session exists.
  await (await publish(['message 0']))();
  for (const [id, { lines }] of Object.entries(realtime))
    await new Api(product.url).saveFlow(flow(id, lines()));
  await new Api(product.url).saveFlow(
    flow('many', [
      'type: nats.core.Trigger',
      ...places().nats,
      ...['durableId: many', 'interval: PT0.2S', 'maxRecords: 20', 'pollDuration: PT1S'],
    ]),
  );
  const everyCount = async (least: number) => {
    const counts = await Promise.all(Object.keys(realtime).map(countOf));
    return counts.every((count) => count >= least);
  };
  await until(() => everyCount(1));

  // Each server is killed when it has started some executions for every broker, while more messages arrive and wait.
  let published = 1;
  for (let killed = 0; killed < kills; killed++) {
    const texts = Array.from({ length: part }, (_, index) => `message ${published + index}`);
    const end = await publish(texts);
    await until(() => everyCount(published + 10));
    await product.stop('SIGKILL');
    product = await launchProduct({ data });
    await end();
    published += part;
  }

  const all = Array.from({ length: published }, (_, number) => `message ${number}`).toSorted();
  for (const [id, { text }] of Object.entries(realtime)) {
    const received = async () => (await executionsOf(id)).map((each) => String(text(variables(each))));
    await until(async () => new Set(await received()).size >= published);
    expect([...new Set(await received())].toSorted(), id).toEqual(all);
  }
  // The stream of NATS numbers its messages, so the product recognizes one that is delivered again.
  expect(await countOf('each')).toBe(published);

  const received = async () =>
    (await executionsOf('many')).reduce((sum, each) => sum + Number(variables(each).messagesCount), 0);
  const manager = await jetstreamManager(nats);
  await until(async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info('orders', 'many');
    return num_pending + num_ack_pending === 0;
  });
  expect(await received()).toBeGreaterThanOrEqual(published);
});
