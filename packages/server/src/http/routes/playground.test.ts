import { describe, expect, it, vi } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, taskRunsOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const value = (id: string, text: string) =>
  `  - id: ${id}\n    type: core.debug.Return\n    format: "${text}"\n`;
const input = 'inputs:\n  - { id: day, type: STRING }\n';
const outputsOf = (body: Record<string, unknown>) =>
  Object.fromEntries(
    taskRunsOf(body).map((run) => [run.taskId, (run.outputs as { value?: unknown } | null)?.value]),
  );

describe.each(databases)('the playground on $name', (database) => {
  const shared = sharedServer(database);
  const path = (id: string) => `/playground/company.team/${id}`;
  const play = async (id: string, payload: object) => {
    const started = await shared().call('POST', path(id), { payload });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    return started.body;
  };
  const chain = (id: string, last = '{{ outputs.b.value }}?') =>
    aFlow(
      id,
      `${input}tasks:\n${value('a', '{{ inputs.day }}')}${value('b', '{{ outputs.a.value }}!')}${value('c', last)}`,
    );

  it('[E396] runs one task of an unsaved text with the outputs and inputs of the last execution', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(chain(id));
    const origin = await server.run(id, { day: 'mon' });
    const request = { source: chain(id, '{{ outputs.b.value }}{{ inputs.day }}'), taskId: 'c' };
    const plan = await server.call('POST', `${path(id)}/plan`, { payload: request });
    expect(plan.body).toMatchObject({
      taskId: 'c',
      loops: [],
      steps: [
        { taskId: 'a', action: 'reuse', executionId: origin.id },
        { taskId: 'b', action: 'reuse' },
        { taskId: 'c', action: 'run' },
      ],
    });
    const started = await play(id, request);
    expect(started).toMatchObject({ kind: 'PLAYGROUND', flowRevision: -1 });
    const done = await server.waitForState(String(started.id), 'SUCCESS');
    expect(outputsOf(done)).toEqual({ a: 'mon', b: 'mon!', c: 'mon!mon' });
    expect(taskRunsOf(done)[0]).toMatchObject({ copied: true });
    expect((await server.call('GET', `/flows/company.team/${id}`)).body.revision).toBe(1);
    // The same text again needs no second draft, and its outputs come from the playground.
    const again = await play(id, { ...request, inputs: { day: 'tue' } });
    expect(again.flowRevision).toBe(-1);
    expect(outputsOf(await server.waitForState(String(again.id), 'SUCCESS'))).toMatchObject({ c: 'mon!tue' });
  });

  it('[E396] runs up to a task with pinned outputs, also after a restart of the server', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(chain(id));
    const started = await play(id, {
      source: chain(id),
      taskId: 'c',
      mode: 'upTo',
      pins: { b: { value: 'pinned' } },
      inputs: { day: 'wed' },
    });
    const done = await server.waitForState(String(started.id), 'SUCCESS');
    expect(outputsOf(done)).toEqual({ a: 'wed', b: 'pinned', c: 'pinned?' });
    expect(taskRunsOf(done)[1]).toMatchObject({ edited: true });
    await server.reopen();
    const replayed = await server.call('POST', `/executions/${done.id}/replay`);
    const repeated = await server.waitForState(String(replayed.body.id), 'SUCCESS');
    expect(repeated.kind).toBe('PLAYGROUND');
    expect(outputsOf(repeated)).toEqual({ a: 'wed', b: 'pinned', c: 'pinned?' });
  });

  it('A-4.4 [E397] counts in no statistics, fires no flow trigger, holds no slot and is found by its kind', async () => {
    const [server, id] = [shared(), anId()];
    const limited = aFlow(
      id,
      `concurrency: { limit: 1, behavior: CANCEL }\ntasks:\n${value('a', 'x')}  - { id: wait, type: core.flow.Pause }\n`,
    );
    await server.saveFlow(limited);
    await server.saveFlow(
      aFlow(
        `${id}_listener`,
        `tasks:\n${value('a', 'x')}triggers:\n  - id: after\n    type: core.trigger.Flow\n    states: [PAUSED, SUCCESS]\n    conditions:\n      - { type: core.condition.ExecutionFlow, namespace: company.team, flowId: ${id} }\n`,
      ),
    );
    const paused = await play(id, { source: limited, taskId: 'wait' });
    await server.waitForState(String(paused.id), 'PAUSED');
    const normal = await server.call('POST', `/executions/company.team/${id}`);
    await server.waitForState(String(normal.body.id), 'PAUSED');
    const total = async (query: string) =>
      (await server.call('GET', `/executions/search?flowId=${id}${query}`)).body.total;
    expect(await total('')).toBe(2);
    expect(await total('&kind=PLAYGROUND')).toBe(1);
    expect(await total('&kind=NORMAL')).toBe(1);
    expect((await server.call('GET', '/executions/search?kind=OTHER')).status).toBe(422);
    const stats = await server.call('POST', '/stats/executions/daily', {
      payload: { flowId: id, namespace: 'company.team' },
    });
    expect(countOf(stats.body)).toBe(1);
    const inbox = await server.call('GET', '/inbox');
    const approvals = JSON.stringify(inbox.body);
    expect(approvals).toContain(String(normal.body.id));
    expect(approvals).not.toContain(String(paused.id));
    await vi.waitFor(async () => {
      const fired = await server.call('GET', `/executions/search?flowId=${id}_listener`);
      expect(fired.body.total).toBe(1);
    });
  });

  it('[E399] refuses what cannot run, with the reason', async () => {
    const [server, id] = [shared(), anId()];
    await server.saveFlow(chain(id));
    const refusals: readonly [object, string][] = [
      [{ source: chain(id), taskId: 'nothing' }, 'The flow has no task "nothing"'],
      [{ source: 'tasks: [', taskId: 'a' }, 'yaml'],
      [{ source: chain('other'), taskId: 'a' }, `the id must stay "${id}"`],
      [{ source: chain(id), taskId: 'a' }, 'day'],
      [{ source: chain(id), taskId: 'a', pins: { b: 'text' } }, 'pins'],
    ];
    for (const [payload, reason] of refusals) {
      const refused = await server.call('POST', path(id), { payload });
      expect(refused.status, JSON.stringify(payload)).toBeGreaterThanOrEqual(400);
      expect(refused.status).toBeLessThan(500);
      expect(JSON.stringify(refused.body).replaceAll('\\"', '"')).toContain(reason);
    }
    const missing = await server.call('POST', path('none'), {
      payload: { source: chain('none'), taskId: 'a' },
    });
    expect(missing.status).toBe(404);
    expect((await server.call('GET', `/flows/company.team/${id}?revision=-1`)).status).toBe(404);
  });
});

/** The executions of all days. */
function countOf(body: unknown): number {
  let sum = 0;
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [key, inner] of Object.entries(at)) {
      if (key === 'executionCounts')
        for (const count of Object.values(inner as Record<string, number>)) sum += count;
      else visit(inner);
    }
  };
  visit(body);
  return sum;
}
