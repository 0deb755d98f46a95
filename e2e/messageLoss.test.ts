import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Execution } from '@millrace/contract';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Api } from './product/api.ts';
import { launchProduct, type Product } from './product/launchProduct.ts';

const messages = 300;
const redeliverAfterNs = 1_000_000_000;

let broker: RunningServer;
let nats: NatsConnection;
let data: string;
let product: Product | undefined;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'millrace-'));
  broker = await startRealServer({
    program: 'nats-server',
    args: ({ host, port, folder }) => ['-a', host, '-p', String(port), '-js', '-sd', folder],
  });
  nats = await connect({ servers: `${broker.host}:${broker.port}` });
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
  await broker?.stop();
  rmSync(data, { recursive: true, force: true });
});

const flow = (id: string, type: string, rest: string) => `id: ${id}
namespace: journey
tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.data ?? trigger.messagesCount }}"
triggers:
  - id: orders
    type: nats.core.${type}
    url: nats://${broker.host}:${broker.port}
    subject: orders.>
${rest}`;

const search = (flowId: string, size: string) =>
  new Api(product?.url ?? '').searchExecutions({ namespace: 'journey', flowId, size });

const countOf = async (flowId: string): Promise<number> => (await search(flowId, '1')).total;

const executionsOf = async (flowId: string): Promise<readonly Execution[]> =>
  (await search(flowId, '1000')).results;

const variables = ({ trigger }: Execution): Readonly<Record<string, unknown>> => trigger?.variables ?? {};

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await wait(50);
}

it('loses no message of a queue to kill -9, and starts one execution for each', async () => {
  product = await launchProduct({ data });
  const api = new Api(product.url);
  await api.saveFlow(flow('each', 'RealtimeTrigger', '    durableId: each\n'));
  await api.saveFlow(
    flow(
      'many',
      'Trigger',
      '    durableId: many\n    interval: PT0.2S\n    maxRecords: 20\n    pollDuration: PT1S\n',
    ),
  );
  const stream = jetstream(nats);
  const publishing = (async () => {
    for (let number = 0; number < messages; number++) await stream.publish('orders.new', `message ${number}`);
  })();

  // Three servers are killed while messages arrive, each after it started some executions.
  for (const expected of [20, 60, 120]) {
    await until(async () => (await countOf('each')) >= expected);
    await product.stop('SIGKILL');
    product = await launchProduct({ data });
  }
  await publishing;

  const numbersOf = async () =>
    (await executionsOf('each')).map((execution) => String(variables(execution).data));
  await until(async () => (await countOf('each')) >= messages);
  await until(async () => new Set(await numbersOf()).size === messages);
  const all = Array.from({ length: messages }, (_, number) => `message ${number}`);
  expect((await numbersOf()).toSorted()).toEqual(all.toSorted());

  const received = async () =>
    (await executionsOf('many')).reduce((sum, each) => sum + Number(variables(each).messagesCount), 0);
  const manager = await jetstreamManager(nats);
  await until(async () => {
    const { num_pending, num_ack_pending } = await manager.consumers.info('orders', 'many');
    return num_pending + num_ack_pending === 0;
  });
  expect(await received()).toBeGreaterThanOrEqual(messages);
});
