import { writeFile } from 'node:fs/promises';
import { defineTask } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, stateOf, taskRunsOf } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';

let now = Date.parse('2026-03-01T00:00:00Z');
let runs = 0;
const counting = defineTask({
  type: 'test.Counting',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({ value: z.string(), fails: z.coerce.boolean().default(false) }),
  output: z.object({ run: z.number() }),
  sideEffects: true,
  run: async (_, { value, fails }) => {
    runs++;
    if (value === 'file') await writeFile('/dev/full', 'x');
    if (fails) throw new Error('no');
    return { run: runs };
  },
});

describe('taskCache', () => {
  const server = sharedServer(sqlite, { definitions: [counting], clock: () => now });

  test('uses the outputs of an earlier execution again, as long as properties and time allow', async () => {
    const id = anId();
    const task = (rest: string) =>
      `inputs:\n  - id: v\n    type: STRING\ntasks:\n  - id: t\n    type: test.Counting\n    value: "{{ inputs.v }}"\n${rest}`;
    await server().saveFlow(aFlow(id, task('    taskCache: { enabled: true, ttl: PT1H }\n')));
    const outputOf = async (v: string) => taskRunsOf(await server().run(id, { v }))[0]?.outputs;
    const first = await outputOf('a');
    expect(await outputOf('a')).toEqual(first);
    expect(await outputOf('b')).not.toEqual(first);
    now += 3_600_001;
    expect(await outputOf('a')).not.toEqual(first);
  });

  test('the janitor removes expired outputs and keeps the others', async () => {
    const { files, janitor } = server().product;
    const kept = async () => {
      const uris: string[] = [];
      for await (const { uri } of files.walk(['cache'])) uris.push(uri);
      return uris;
    };
    now += 10 * 3_600_000;
    await janitor.runRound();
    expect(await kept()).toEqual([]);
    const flow = (ttl: string) =>
      aFlow(
        anId(),
        `tasks:\n  - id: t\n    type: test.Counting\n    value: x\n    taskCache: { enabled: true${ttl} }\n`,
      );
    for (const source of [flow(', ttl: PT1M'), flow(', ttl: PT2H'), flow('')]) {
      await server().saveFlow(source);
      await server().run(/id: (\S+)/.exec(source)?.[1] ?? '');
    }
    // A file of a namespace that is called like the folder.
    const other = await files.put(
      ['cache', 'flow', 'executions', 'x', 'a.json'],
      '{"expiresAt":1,"outputs":{}}',
    );
    expect(await kept()).toHaveLength(4);
    now += 3_600_000;
    await janitor.runRound();
    expect(await kept()).toHaveLength(3);
    expect(await kept()).toContain(other);
    // Files have the time of the disk.
    now = Math.max(now, Date.now()) + 91 * 86_400_000;
    await janitor.runRound();
    expect(await kept()).toEqual([other]);
  });

  test('keeps nothing of a task that failed', async () => {
    const id = anId();
    const task =
      'tasks:\n  - id: t\n    type: test.Counting\n    value: x\n    fails: true\n    taskCache: { enabled: true }\n';
    await server().saveFlow(aFlow(id, task));
    const before = runs;
    expect(stateOf(await server().run(id))).toBe('FAILED');
    expect(stateOf(await server().run(id))).toBe('FAILED');
    expect(runs - before).toBe(2);
  });
});

describe.each(databases)('logToFile on $name', (database) => {
  const server = sharedServer(database, {
    env: { SECRET_TOKEN: Buffer.from('correct-horse').toString('base64') },
  });

  test('puts the log of a task into a file that its attempt names', async () => {
    const id = anId();
    const task = `tasks:\n  - id: t\n    type: core.log.Log\n    logToFile: true\n    message: ["one", "{{ secret('TOKEN') }}"]\n`;
    await server().saveFlow(aFlow(id, task));
    const execution = await server().run(id);
    const [attempt] = (taskRunsOf(execution)[0]?.attempts ?? []) as { logFile?: string }[];
    const { files, logs } = server().product;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await files.read(attempt?.logFile ?? '')) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    expect(text).toMatch(/^\S+Z INFO one\n\S+Z INFO \*+/);
    expect(text).not.toContain('horse');
    await logs.flush();
    const { body } = await server().call('GET', `/logs/${String(execution.id)}`);
    expect(JSON.stringify(body)).not.toContain('"one"');
  });
});

const building = defineTask({
  type: 'test.Building',
  title: 'For tests',
  description: 'For tests',
  examples: [],
  input: z.object({ fails: z.coerce.boolean().default(false) }),
  output: z.object({}),
  sideEffects: true,
  run: (context, { fails }) => {
    const times = { startedAt: 1_000, endedAt: 2_000 };
    context.addTaskRun({ taskId: 'model.orders', state: 'SUCCESS', outputs: { rows: 3 }, ...times });
    context.addTaskRun({ taskId: 'model.customers', state: fails ? 'FAILED' : 'SUCCESS', ...times });
    if (fails) throw new Error('no');
    return {};
  },
});

describe.each(databases)('[E83] child task runs on $name', (database) => {
  const server = sharedServer(database, { definitions: [building] });

  test.each([
    ['SUCCESS', false],
    ['FAILED', true],
  ])('are shown below a task that ends in %s', async (state, fails) => {
    const id = anId();
    await server().saveFlow(aFlow(id, `tasks:\n  - id: t\n    type: test.Building\n    fails: ${fails}\n`));
    const execution = await server().run(id);
    expect(stateOf(execution)).toBe(state);
    const [parent, ...children] = taskRunsOf(execution);
    expect(children).toMatchObject([
      { taskId: 'model.orders', parentTaskRunId: parent?.id, dynamic: true, outputs: { rows: 3 } },
      { taskId: 'model.customers', parentTaskRunId: parent?.id, dynamic: true },
    ]);
    expect(children.map(stateOf)).toEqual(['SUCCESS', state]);
  });
});

test('[A32] what a task throws is covered like what it logs', async () => {
  const server = await aServer(sqlite, {
    env: { SECRET_TOKEN: Buffer.from('correct-horse').toString('base64') },
  });
  const id = anId();
  await server.saveFlow(
    aFlow(id, `tasks:\n  - id: t\n    type: test.Throw\n    message: "it was {{ secret('TOKEN') }}"\n`),
  );
  const execution = await server.run(id);
  await server.product.logs.flush();
  const { body } = await server.call('GET', `/logs/${String(execution.id)}?minLevel=TRACE`);
  // The record of events says why the attempt failed.
  const { body: events } = await server.call('GET', `/executions/${String(execution.id)}/events`);
  for (const shown of [JSON.stringify(body), JSON.stringify(events)]) {
    expect(shown).toContain('it was ');
    expect(shown).not.toContain('horse');
  }
});

test('a task whose file finds no space says so', async () => {
  const server = await aServer(sqlite, { definitions: [counting] });
  const id = anId();
  await server.saveFlow(aFlow(id, 'tasks:\n  - id: t\n    type: test.Counting\n    value: file\n'));
  const execution = await server.run(id);
  expect(stateOf(execution)).toBe('FAILED');
  await server.product.logs.flush();
  const { body } = await server.call('GET', `/logs/${String(execution.id)}`);
  expect(JSON.stringify(body)).toContain('There is no space left on the disk: ENOSPC');
});
