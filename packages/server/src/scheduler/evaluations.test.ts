import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { readText } from '../files/internalStorage.ts';
import { aFlow } from '../testing/aFlow.ts';
import { anId, aServer, sharedServer, stateOf, yaml } from '../testing/aServer.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { arrivals, openDoor } from '../testing/testTasks.ts';
import {
  aListener,
  call,
  definitions,
  executionsOf,
  listens,
  logOf,
  membersOfContext,
  type Outputs,
  polls,
  resetSources,
  rowOf,
  trigger,
  turn,
  until,
} from './testing/pollingTriggers.ts';

afterEach(resetSources);

describe.each(databases)('polling triggers on $name', (database) => {
  const server = sharedServer(database, { definitions });

  test('[S2-3.9] start one execution for what they find, with its labels, inputs and `trigger`', async () => {
    const id = anId();
    const found = [{ number: 1 }, undefined, { number: 2 }];
    polls.set(id, async () => found.shift());
    const inputs = 'inputs:\n  - id: n\n    type: INT\n';
    const more = '    labels: { from: "{{ trigger.number }}" }\n    inputs: { n: "{{ trigger.number }}" }\n';
    await server().saveFlow(aFlow(id, `${inputs}${trigger('Poll', id, more)}`));
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(2));
    const [first, second] = await executionsOf(server(), id);
    expect(first).toMatchObject({ inputs: { n: 1 }, trigger: { id: 'look', variables: { number: 1 } } });
    expect(first?.labels).toContainEqual({ key: 'from', value: '1' });
    expect(second).toMatchObject({ inputs: { n: 2 } });
  });

  test('have everything in their context that a task has', async () => {
    const id = anId();
    const missing: string[][] = [];
    polls.set(id, async (context) => {
      missing.push(membersOfContext.filter((name) => context[name] === undefined));
      return undefined;
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id)));
    await until(() => expect(missing[0]).toEqual([]));
    await turn(server(), id, true);
  });

  test('wait for their execution unless they may run beside it', async () => {
    const [locked, free] = [anId(), anId()];
    const looks: Record<string, number> = { [locked]: 0, [free]: 0 };
    for (const id of [locked, free]) {
      polls.set(id, async () => {
        looks[id] = (looks[id] ?? 0) + 1;
        return {};
      });
    }
    const door = (id: string) => `tasks:\n  - id: wait\n    type: test.Door\n    door: ${id}\n`;
    await server().saveFlow(aFlow(locked, `${door(locked)}${trigger('Poll', locked)}`));
    await server().saveFlow(
      aFlow(free, `${door(free)}${trigger('Poll', free, '    allowConcurrent: true\n')}`),
    );
    await until(() => expect(arrivals(free)).toBeGreaterThan(2));
    expect(arrivals(locked)).toBe(1);
    expect((await rowOf(server(), locked))?.executionId).toBeDefined();
    await turn(server(), free, true);
    openDoor(free);
    openDoor(locked);
    await until(() => expect(looks[locked]).toBeGreaterThan(1));
    await turn(server(), locked, true);
  });

  test('store their state together with the execution', async () => {
    const id = anId();
    polls.set(id, async (context) => {
      const last = Number(context.memory ?? 0);
      if (last >= 3) return undefined;
      context.remember(last + 1);
      return { value: last + 1 };
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id)));
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(3));
    expect((await rowOf(server(), id))?.memo?.memory).toBe(3);
    // Another definition is another trigger: it starts over.
    await server().call(
      'PUT',
      `/flows/company.team/${id}`,
      yaml(aFlow(id, trigger('Poll', id, '    interval: PT0.2S\n'))),
    );
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(6));
  });

  test('ask conditions before they look, and those about `trigger` afterwards', async () => {
    const [never, sometimes] = [anId(), anId()];
    let looks = 0;
    polls.set(never, async () => ({ looks: ++looks }));
    const numbers = [1, 2, 3, 4];
    polls.set(sometimes, async () => {
      const number = numbers.shift();
      return number === undefined ? undefined : { number };
    });
    const condition = (expression: string) =>
      `    conditions:\n      - type: core.condition.Expression\n        expression: "${expression}"\n`;
    await server().saveFlow(aFlow(never, trigger('Poll', never, '    when: "{{ 1 > 2 }}"\n')));
    await server().saveFlow(
      aFlow(sometimes, trigger('Poll', sometimes, condition('{{ trigger.number > 2 }}'))),
    );
    await until(async () => expect(await executionsOf(server(), sometimes)).toHaveLength(2));
    expect(looks).toBe(0);
    expect((await rowOf(server(), never))?.evaluatedAt).toBeDefined();
  });

  test('say under the trigger why they failed, and try again later each time', async () => {
    const id = anId();
    let looks = 0;
    polls.set(id, async (context) => {
      await context.log('INFO', `look ${++looks}`);
      throw new Error('the source is down');
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id, '    interval: PT0.2S\n')));
    await until(async () => expect((await rowOf(server(), id))?.memo?.failures).toBeGreaterThanOrEqual(3));
    const row = await rowOf(server(), id);
    expect((row?.nextAt ?? 0) - (row?.updatedAt ?? 0)).toBeGreaterThanOrEqual(700);
    expect(await logOf(server(), id)).toEqual(
      expect.arrayContaining(['INFO look 1', 'ERROR the source is down']),
    );
    expect(await executionsOf(server(), id)).toEqual([]);
  });

  test('show a failure as an execution when their author wants that', async () => {
    const id = anId();
    polls.set(id, async () => {
      throw new Error('no');
    });
    await server().saveFlow(
      aFlow(id, trigger('Poll', id, '    interval: PT1H\n    failOnTriggerError: true\n')),
    );
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(1));
    expect((await executionsOf(server(), id)).map(stateOf)).toEqual(['FAILED']);
  });

  test('[S2-7o.15] are unlocked and restarted while an evaluation is under way', async () => {
    const id = anId();
    const stopped: string[] = [];
    let looks = 0;
    polls.set(id, async (context) => {
      const look = ++looks;
      await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
      stopped.push(`look ${look}`);
      return { late: true };
    });
    await server().saveFlow(aFlow(id, trigger('Poll', id)));
    await until(() => expect(looks).toBe(1));
    const shown = (await server().call('GET', `/triggers/company.team/${id}`)).body;
    expect(JSON.stringify(shown)).toContain('evaluateRunningDate');
    expect(JSON.stringify(shown)).toContain('workerId');
    expect((await call(server(), id, 'restart')).status).toBe(200);
    await until(() => expect(looks).toBe(2));
    expect((await call(server(), id, 'unlock')).status).toBe(200);
    await until(() => expect(looks).toBe(3));
    expect(stopped).toEqual(['look 1', 'look 2']);
    // [S2-2.15] A disabled trigger stops too; later events are ignored.
    await turn(server(), id, true);
    await until(() => expect(stopped).toHaveLength(3));
    expect((await rowOf(server(), id))?.nextAt).toBeUndefined();
    expect(await executionsOf(server(), id)).toEqual([]);
  });

  test('are switched off by the end that `stopAfter` names', async () => {
    const id = anId();
    polls.set(id, async () => ({}));
    const tasks = 'tasks:\n  - id: no\n    type: core.execution.Fail\n';
    await server().saveFlow(aFlow(id, `${tasks}${trigger('Poll', id, '    stopAfter: [FAILED]\n')}`));
    await until(async () => expect((await rowOf(server(), id))?.disabled).toBe(true));
    expect(await executionsOf(server(), id)).toHaveLength(1);
  });

  test('put what they say into a file of the execution, and what they measure beside it', async () => {
    const id = anId();
    let looks = 0;
    polls.set(id, async (context) => {
      looks++;
      await context.log('INFO', `look ${looks}`);
      context.metric({ name: 'looks', type: 'counter', value: looks, tags: { from: 'test' } });
      // The first finds nothing, the second something that its condition refuses, the third starts an execution.
      return looks === 1 ? undefined : { looks };
    });
    const conditions =
      '    conditions:\n      - {type: core.condition.Expression, expression: "{{ trigger.looks == 3 }}"}\n';
    await server().saveFlow(
      aFlow(id, trigger('Poll', id, `    logToFile: true\n    stopAfter: [SUCCESS]\n${conditions}`)),
    );
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(1));
    const [execution] = await executionsOf(server(), id);
    const logFile = (execution?.trigger as { logFile?: string } | undefined)?.logFile ?? '';
    expect(logFile).toContain(`/executions/${String(execution?.id)}/triggers/look.log`);
    const text = await readText(await server().product.files.read(logFile), 1_000);
    expect(text).toMatch(/^\S+ INFO look 3\n$/);
    expect(await logOf(server(), id)).toEqual(['INFO look 1']);
    const { body } = await server().call('GET', `/metrics/${String(execution?.id)}`);
    expect(body.results).toMatchObject([{ name: 'looks', value: 3, taskId: 'look', tags: { from: 'test' } }]);
    const files: string[] = [];
    for await (const { uri } of server().product.files.walk(['company', 'team', id])) files.push(uri);
    expect(files).toEqual([logFile]);
  });

  test('look at an address with core.http.Trigger', async () => {
    const id = anId();
    let asked = 0;
    const site = createServer((_, reply) => {
      asked++;
      reply.writeHead(asked < 3 ? 503 : 200).end(JSON.stringify({ asked }));
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void site.close());
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const look = `    interval: PT0.1S\n    stopAfter: [SUCCESS]\n`;
    await server().saveFlow(
      aFlow(id, `triggers:\n  - id: look\n    type: core.http.Trigger\n    uri: ${url}\n${look}`),
    );
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(1));
    const [execution] = await executionsOf(server(), id);
    expect(execution).toMatchObject({ trigger: { variables: { code: 200, body: '{"asked":3}' } } });
  });
});

describe.each(databases)('realtime triggers on $name', (database) => {
  const server = sharedServer(database, { definitions });

  test('start one execution per event, however often the source repeats it', async () => {
    const id = anId();
    const source = aListener(id);
    await server().saveFlow(aFlow(id, trigger('Listen', id)));
    await until(() => expect(source.isLive).toBe(true));
    await source.emit({ number: 1 }, 'a');
    await source.emit({ number: 2 }, 'b');
    await source.emit({ number: 1 }, 'a');
    await source.emit({ number: 3 });
    // An event is on disk when `emit` resolves.
    const executions = await executionsOf(server(), id);
    expect(
      executions.map(({ trigger }) => (trigger as { variables: Outputs }).variables.number).sort(),
    ).toEqual([1, 2, 3]);
  });

  test('with `logToFile`, what was said up to an event goes with its execution, the rest into the log', async () => {
    const id = anId();
    listens.set(id, async (context, emit) => {
      await context.log('INFO', 'first');
      await emit({ number: 1 }, { key: 'a' });
      await context.log('INFO', 'again');
      await emit({ number: 1 }, { key: 'a' });
      await emit({ number: 2 });
      await context.log('WARN', 'third');
      await emit({ number: 3 });
      await context.log('INFO', 'nothing more');
    });
    await server().saveFlow(aFlow(id, trigger('Listen', id, '    logToFile: true\n')));
    await until(async () => expect(await logOf(server(), id)).toContain('INFO nothing more'));
    const said: Record<string, string> = {};
    for (const { trigger: started } of await executionsOf(server(), id)) {
      const { logFile, variables } = started as { logFile?: string; variables: Outputs };
      if (logFile === undefined) continue;
      said[String(variables.number)] = await readText(await server().product.files.read(logFile), 1_000);
    }
    expect(said).toEqual({
      1: expect.stringMatching(/^\S+ INFO first\n$/),
      3: expect.stringMatching(/^\S+ WARN third\n$/),
    });
    const files: string[] = [];
    for await (const { uri } of server().product.files.walk(['company', 'team', id])) files.push(uri);
    expect(files).toHaveLength(2);
  });

  test('start over when their flow changes, and stop when it switches them off or is deleted', async () => {
    const id = anId();
    const source = aListener(id);
    const save = (rest: string, tasks = '') =>
      server().call(
        'PUT',
        `/flows/company.team/${id}`,
        yaml(aFlow(id, `${tasks}${trigger('Listen', id, rest)}`)),
      );
    await server().saveFlow(aFlow(id, trigger('Listen', id)));
    await until(() => expect(source.state).toEqual({ starts: 1, stops: 0 }));
    await save('', 'description: another text\n');
    await until(() => expect(source.state).toEqual({ starts: 2, stops: 1 }));
    await source.emit({});
    expect(await executionsOf(server(), id)).toMatchObject([{ flowRevision: 2 }]);
    await save('    disabled: true\n');
    await until(() => expect(source.state).toEqual({ starts: 2, stops: 2 }));
    expect((await rowOf(server(), id))?.nextAt).toBeUndefined();
    await save('');
    await until(() => expect(source.state).toEqual({ starts: 3, stops: 2 }));
    await server().call('DELETE', `/flows/company.team/${id}`);
    await until(() => expect(source.state).toEqual({ starts: 3, stops: 3 }));
    expect(await rowOf(server(), id)).toBeUndefined();
  });

  test('cannot be switched manually, are restarted manually, and end with `stopAfter`', async () => {
    const id = anId();
    const source = aListener(id);
    await server().saveFlow(aFlow(id, trigger('Listen', id, '    stopAfter: [SUCCESS]\n')));
    await until(() => expect(source.state.starts).toBe(1));
    expect((await turn(server(), id, true)).status).toBe(422);
    await call(server(), id, 'restart');
    await until(() => expect(source.state).toEqual({ starts: 2, stops: 1 }));
    await source.emit({});
    await until(() => expect(source.state).toEqual({ starts: 2, stops: 2 }));
    expect((await rowOf(server(), id))?.disabled).toBe(true);
  });

  test('start again when they fail, and say why', async () => {
    const id = anId();
    let starts = 0;
    listens.set(id, async (_, emit) => {
      if (++starts === 1) throw new Error('connection lost');
      await emit({ starts });
    });
    await server().saveFlow(aFlow(id, trigger('Listen', id)));
    await until(async () => expect(await executionsOf(server(), id)).toHaveLength(1));
    await until(async () =>
      expect(await logOf(server(), id)).toContainEqual(expect.stringContaining('The source has ended')),
    );
    expect(await logOf(server(), id)).toContain('ERROR connection lost');
    expect(starts).toBe(2);
  });
});

test('a server that stops releases its triggers, and the next one continues with them', async () => {
  const server = await aServer(sqlite, { definitions });
  const [polling, realtime] = [anId(), anId()];
  const source = aListener(realtime);
  let looks = 0;
  polls.set(polling, async (context) => {
    looks++;
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    return undefined;
  });
  await server.saveFlow(aFlow(polling, trigger('Poll', polling)));
  await server.saveFlow(aFlow(realtime, trigger('Listen', realtime)));
  await until(() => expect([looks, source.state.starts]).toEqual([1, 1]));
  await server.reopen();
  await until(() => expect([looks, source.state]).toEqual([2, { starts: 2, stops: 1 }]));
});

test('what a server that was killed was evaluating is evaluated again, and the log says so', async () => {
  const server = await aServer(sqlite, { definitions });
  const id = anId();
  const source = aListener(id);
  await server.saveFlow(aFlow(id, trigger('Listen', id)));
  await until(() => expect(source.state.starts).toBe(1));
  // The row after kill -9: claimed by a process that sends no more heartbeats.
  const claimed = await rowOf(server, id);
  await server.product.scheduler.stop();
  if (claimed) await server.product.store.commit([{ op: 'trigger.put', trigger: claimed }]);
  await server.reopen();
  await until(() => expect(source.state.starts).toBe(2));
  expect(await logOf(server, id)).toContainEqual(expect.stringContaining('its worker was lost'));
});

test('of two servers on one database only one listens', async () => {
  const postgres = databases.find(({ name }) => name === 'PostgreSQL') ?? sqlite;
  const one = await aServer(postgres, { definitions });
  const { url } = one.product.config.database;
  const two = await aServer(postgres, { definitions, ...(url === undefined ? {} : { databaseUrl: url }) });
  const id = anId();
  const source = aListener(id);
  await one.saveFlow(aFlow(id, trigger('Listen', id)));
  await until(() => expect(source.state.starts).toBe(1));
  await one.product.scheduler.runDue();
  await two.product.scheduler.runDue();
  expect(source.state.starts).toBe(1);
  await source.emit({});
  expect(await executionsOf(two, id)).toHaveLength(1);
});
