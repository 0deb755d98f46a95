import { defineTrigger } from '@millrace/plugin-kit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { anId, type TestServer } from '../testing/aServer.ts';
import { severalServers } from '../testing/severalServers.ts';

/** The workers that evaluated each source. */
const evaluated = new Map<string, string[]>();
const note = (source: string, folder: string) =>
  evaluated.set(source, [...(evaluated.get(source) ?? []), folder]);
const words = { title: 'For tests', description: 'For tests', examples: [], output: z.object({}) };
const input = z.object({ source: z.string(), interval: z.string().default('PT0.2S') });
const definitions = [
  defineTrigger({
    ...words,
    type: 'test.PollWhere',
    role: 'polling',
    input,
    poll: async (context, { source }) => {
      note(source, await context.workingDirectory());
      return evaluated.get(source)?.length === 1 ? { found: true } : undefined;
    },
  }),
  defineTrigger({
    ...words,
    type: 'test.ListenWhere',
    role: 'realtime',
    input,
    listen: async (context, { source }, emit) => {
      note(source, await context.workingDirectory());
      await emit({ heard: true });
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    },
  }),
  defineTrigger({
    ...words,
    type: 'test.PollForLong',
    role: 'polling',
    input,
    poll: async (context, { source }) => {
      note(source, await context.workingDirectory());
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      note(source, 'stopped');
      return undefined;
    },
  }),
];

describe('triggers that ask for a worker group', () => {
  const cluster = severalServers({ definitions });
  const logOf = async (server: TestServer, flowId: string) => {
    const { body } = await server.call('GET', `/logs/search?flowId=${flowId}&triggerId=look&size=100`);
    return (body.results as { message: string }[]).map(({ message }) => message);
  };
  const ended = async (server: TestServer, flowId: string) =>
    (await server.call('GET', `/executions/search?flowId=${flowId}&state=SUCCESS`)).body.total;

  it.each(['PollWhere', 'ListenWhere'])(
    '%s is evaluated on a worker of the group, and waits with a line in its log while there is none',
    async (type) => {
      const server = await cluster.start();
      const id = anId();
      const trigger = `triggers:\n  - id: look\n    type: test.${type}\n    source: ${id}${type}\n    workerGroup: { key: gpu }\n`;
      await server.saveFlow(aFlow(id, trigger));
      const waits = 'No worker of the group "gpu" is running; the trigger waits for one.';
      await expect.poll(() => logOf(server, id)).toEqual([waits]);
      expect(evaluated.get(`${id}${type}`)).toBeUndefined();
      const worker = await cluster.startWith({ worker: { group: 'gpu' } }, 'worker');
      await expect.poll(() => ended(server, id)).toBe(1);
      const folders = evaluated.get(`${id}${type}`) ?? [];
      expect(folders.length).toBeGreaterThan(0);
      expect(folders.filter((folder) => !folder.startsWith(worker.product.workFolder))).toEqual([]);
      expect(await logOf(server, id)).toEqual([waits]);
      // Without its workers the trigger waits again, and the next worker continues.
      await worker.close(0);
      const before = evaluated.get(`${id}${type}`)?.length ?? 0;
      const next = await cluster.startWith({ worker: { group: 'gpu' } }, 'worker');
      await expect.poll(() => evaluated.get(`${id}${type}`)?.length ?? 0).toBeGreaterThan(before);
      expect(evaluated.get(`${id}${type}`)?.at(-1)).toContain(next.product.workFolder);
    },
    180_000,
  );

  it('an evaluation elsewhere stops at once when its trigger is switched off, or its flow deleted', async () => {
    const server = await cluster.start();
    const id = anId();
    const trigger = `triggers:\n  - id: look\n    type: test.PollForLong\n    source: ${id}\n    workerGroup: { key: far }\n`;
    await server.saveFlow(aFlow(id, trigger));
    const worker = await cluster.startWith({ worker: { group: 'far' } }, 'worker');
    const timesOf = (what: string) =>
      (evaluated.get(id) ?? []).filter((where) => (what === 'stopped') === (where === 'stopped')).length;
    await expect.poll(() => timesOf('begun')).toBe(1);
    const switched = (disabled: boolean) =>
      server.call('PUT', '/triggers', {
        payload: { namespace: 'company.team', flowId: id, triggerId: 'look', disabled },
      });
    // Without a notification the worker would notice only at its next lease renewal, after twenty seconds.
    expect((await switched(true)).status).toBe(200);
    await expect.poll(() => timesOf('stopped')).toBe(1);
    await switched(false);
    await expect.poll(() => timesOf('begun')).toBe(2);
    await server.call('DELETE', `/flows/company.team/${id}`);
    await expect.poll(() => timesOf('stopped')).toBe(2);
    expect(evaluated.get(id)?.[0]).toContain(worker.product.workFolder);
  }, 180_000);
});
