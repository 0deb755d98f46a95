import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { kafkaFamily } from '@millrace/plugin-kafka';
import { startKafka } from '@millrace/plugin-kafka/testing';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, type RunningServer, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { temporaryFolder } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serverProgram } from './testing/serverProgram.ts';

/** The class path of Apache Kafka; `npm run test:connectors` sets it. */
const jars = process.env.MILLRACE_TEST_KAFKA;
const messages = 200;

interface Started {
  readonly trigger?: { readonly variables?: Readonly<Record<string, unknown>> };
}

describe.skipIf(jars === undefined)('Kafka triggers of a server', () => {
  let broker: RunningServer;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(async () => {
    folder = temporaryFolder();
    broker = await startKafka(jars ?? '');
  }, 240_000);
  afterAll(async () => {
    await broker?.stop();
    folder.remove();
  }, 60_000);

  const address = () => `${broker.host}:${broker.port}`;
  const produce = (first: number, count: number) =>
    runType(
      kafkaFamily.types.find(({ type }) => type === 'kafka.Produce') as TaskDefinition, // the name of a task
      {
        properties: { 'bootstrap.servers': address() },
        topic: 'orders',
        from: Array.from({ length: count }, (_, n) => ({
          key: `k${first + n}`,
          value: `message ${first + n}`,
        })),
      },
      aTaskContext(realNetwork()),
    );
  const flow = (id: string, type: string, rest: string) => `id: ${id}
namespace: company.team
tasks:
  - {id: show, type: core.log.Log, message: "{{ trigger.value ?? trigger.messagesCount }}"}
triggers:
  - id: orders
    type: kafka.${type}
    properties: {bootstrap.servers: "${address()}", auto.offset.reset: earliest}
    topic: orders
    groupId: ${id}
${rest}`;

  it('lose no message when the server is killed', async () => {
    await produce(0, 10);
    let server = await aServerProcess(join(folder.path, 'data'));
    onTestFinished(() => server.kill());
    await server.save(flow('each', 'RealtimeTrigger', ''));
    await server.save(
      flow('many', 'Trigger', '    interval: PT0.5S\n    maxRecords: 20\n    pollDuration: PT1S\n'),
    );
    const publishing = (async () => {
      for (let first = 10; first < messages; first += 10) await produce(first, 10);
    })();
    // Each server is killed after it started some executions.
    for (const expected of [5, 60]) {
      await expect
        .poll(async () => (await server.started('each')).length, { timeout: 120_000 })
        .toBeGreaterThanOrEqual(expected);
      await server.kill();
      server = await aServerProcess(join(folder.path, 'data'));
    }
    await publishing;

    const all = Array.from({ length: messages }, (_, number) => `message ${number}`);
    const values = async () =>
      (await server.started('each')).map(({ trigger }) => String(trigger?.variables?.value));
    await expect.poll(async () => new Set(await values()).size, { timeout: 240_000 }).toBe(messages);
    const received = await values();
    expect([...new Set(received)].toSorted()).toEqual(all.toSorted());
    // A message whose offset was not committed yet is delivered once more: at most one for each kill.
    expect(received.length).toBeLessThanOrEqual(messages + 2);
    const [first] = await server.started('each');
    expect(first?.trigger?.variables).toMatchObject({ topic: 'orders', partition: 0, headers: [] });

    const polled = async () =>
      (await server.started('many')).reduce(
        (sum, { trigger }) => sum + Number(trigger?.variables?.messagesCount ?? 0),
        0,
      );
    await expect.poll(polled, { timeout: 240_000 }).toBeGreaterThanOrEqual(messages);
  }, 900_000);
});

/** A server in a process that can be killed. */
async function aServerProcess(data: string) {
  const args = ['server', '--port', '0', '--management-port', '0', '--data', data];
  const child = spawn(process.execPath, [...serverProgram, ...args], {
    env: { ...process.env, MILLRACE_TUTORIAL_ENABLED: 'false' },
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      out += String(text);
    });
  await Promise.race([
    expect.poll(() => out, { timeout: 120_000 }).toContain('is running'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The server ended: ${out}`))),
  ]);
  const url = `${/Web app and API +(\S+)/.exec(out)?.[1]}/api/v1`;
  return {
    kill: () => killed(child),
    save: async (source: string) => {
      const response = await fetch(`${url}/flows`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-yaml' },
        body: source,
      });
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    },
    started: async (flowId: string): Promise<readonly Started[]> => {
      const response = await fetch(
        `${url}/executions/search?namespace=company.team&flowId=${flowId}&size=1000`,
      );
      // `as`: the API's own list of executions.
      return ((await response.json()) as { results: readonly Started[] }).results;
    },
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
