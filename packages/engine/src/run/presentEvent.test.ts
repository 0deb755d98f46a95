import type { Actor } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { createExecution } from './create.ts';
import type { RecordedEvent } from './note.ts';
import { presentCreation, presentEvent } from './presentEvent.ts';
import { aControl, aFlow, aTask, Harness } from './testing/harness.ts';

const ada: Actor = { type: 'user', id: 'ada', via: 'web' };
const oneOf = (run: Harness, type: string) => run.events.filter((entry) => entry.type === type);
const shown = (entry: RecordedEvent | undefined) => {
  if (!entry) throw new Error('There is no such entry.');
  return presentEvent(entry, { id: '1-0', at: 0 }, undefined);
};

describe('the record of an execution', () => {
  it('records each decision after the event that led to it', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] })).start();
    expect(run.events.map(({ type }) => type)).toEqual([
      'start',
      'state',
      'taskStarted',
      'taskEnded',
      'state',
    ]);
    expect(run.events[2]).toMatchObject({ taskId: 'a', attempt: 0 });
  });

  it('writes the time only when it differs from that of the entry before', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] }), { a: 'HOLD' }).start();
    expect(run.events.map(({ at }) => at)).toEqual([run.now, undefined, run.now]);
  });

  it('records nothing of an action that is refused', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] })).start();
    const before = run.events.length;
    expect(() => run.send({ type: 'pause', by: ada })).toThrow();
    run.send({ type: 'taskStarted', taskRunId: 'unknown', attempt: 0 });
    expect(run.events).toHaveLength(before);
  });

  it('names the expression that decided, its value, and the branch that was skipped', () => {
    const condition = '{{ inputs.n > 3 }}';
    const run = new Harness(
      aFlow({
        tasks: [
          aControl('If', 'check', { condition, then: [aTask('large')] }),
          aTask('never', { runIf: '{{ inputs.n < 3 }}' }),
        ],
      }),
      {},
      { inputs: { n: 5 } },
    ).start();
    const [held, skipped] = oneOf(run, 'decided').map(shown);
    expect(held).toMatchObject({
      taskId: 'check',
      reason: `condition: ${condition}`,
      payload: { property: 'condition', expression: condition, value: 'true' },
    });
    expect(skipped).toMatchObject({ taskId: 'never', payload: { property: 'runIf', value: 'false' } });
    expect(oneOf(run, 'taskState').map((entry) => [entry.taskId, 'state' in entry && entry.state])).toEqual([
      ['check', 'SUCCESS'],
      ['never', 'SKIPPED'],
    ]);
  });

  it('masks secrets in the value of a decision', () => {
    const run = new Harness(
      aFlow({
        tasks: [aControl('Switch', 'which', { value: 'x-{{ inputs.token }}', defaults: [aTask('a')] })],
      }),
      {},
      { inputs: { token: 'hidden' } },
      {
        secretsIn: () => ['hidden'],
        cover: (text, secrets) => secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text),
      },
    ).start();
    expect(shown(oneOf(run, 'decided')[0]).payload.value).toBe('x-***');
  });

  it('explains a retry with its number, date and limit', () => {
    const retry = { type: 'constant', interval: 'PT2S', maxAttempt: 3 };
    const run = new Harness(aFlow({ tasks: [aTask('ko', { retry })] }), { ko: 'FAILED' }).start();
    expect(shown(oneOf(run, 'retryPlanned')[0])).toMatchObject({
      taskId: 'ko',
      payload: { nextAttempt: 2, maxAttempts: 3, until: new Date(run.now + 2_000).toISOString() },
    });
  });

  it('explains the limit that queued an execution', () => {
    const run = new Harness(aFlow({ tasks: [aTask('a')] })).send({
      type: 'refused',
      behavior: 'QUEUE',
      limit: 2,
    });
    expect(shown(run.events[0])).toMatchObject({
      kind: 'refused',
      reason: 'The concurrency limit of the flow is 2, and all slots were in use.',
      actor: { type: 'system' },
    });
  });

  it('signs what a user changes, on the task run and in the history of the execution', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko'), aTask('b')] }), { ko: 'FAILED' }).start();
    run.send({ type: 'changeTaskRunState', taskRunId: run.runOf('ko').id, state: 'SUCCESS', by: ada });
    expect(run.runOf('ko').state.histories.at(-1)).toMatchObject({ state: 'SUCCESS', by: ada });
    expect(run.execution.state.histories.filter(({ by }) => by).map(({ state }) => state)).toEqual([
      'RESTARTED',
    ]);
    // Events that follow by themselves have no actor.
    expect(run.runOf('b').state.histories.some(({ by }) => by)).toBe(false);
    expect(run.execution.state.histories.at(-1)?.by).toBeUndefined();
    expect(shown(oneOf(run, 'changeTaskRunState')[0])).toMatchObject({
      actor: ada,
      state: 'SUCCESS',
      taskId: 'ko',
    });
  });

  it('signs task runs that a user restarts', () => {
    const run = new Harness(aFlow({ tasks: [aTask('ko')] }), { 'ko#0': 'FAILED' }).start();
    run.send({ type: 'restart', by: ada });
    expect(run.runOf('ko').state.histories.find(({ state }) => state === 'RESTARTED')?.by).toEqual(ada);
  });

  it('records the labels that were added and removed', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('a')] }),
      {},
      { labels: [{ key: 'old', value: '1' }] },
    ).start();
    run.send({ type: 'setLabels', labels: [{ key: 'new', value: '2' }], by: ada });
    expect(shown(oneOf(run, 'labels')[0]).payload).toEqual({
      added: [{ key: 'new', value: '2' }],
      removed: [{ key: 'old', value: '1' }],
    });
  });
});

describe('the view of an entry', () => {
  it('leaves out payloads that are too large, and hides sealed values', () => {
    const entry = (outputs: Record<string, unknown>): RecordedEvent => ({
      type: 'taskEnded',
      taskRunId: 't',
      attempt: 0,
      state: 'SUCCESS',
      outputs,
    });
    expect(shown(entry({ big: 'x'.repeat(10_000) })).payload.outputs).toMatchObject({ omitted: true });
    const sealed = { type: 'io.kestra.datatype:aes_encrypted', value: 'cipher' };
    expect(JSON.stringify(shown(entry({ sealed })))).not.toContain('cipher');
  });

  it.each([
    ['a user', { by: ada }, {}, ada],
    [
      'a schedule',
      {},
      { trigger: { id: 'daily', type: 'core.trigger.Schedule' } },
      { type: 'schedule', id: 'daily' },
    ],
    [
      'a webhook',
      {},
      { trigger: { id: 'hook', type: 'core.trigger.Webhook' } },
      { type: 'trigger', id: 'hook' },
    ],
    [
      'a flow trigger',
      {},
      { trigger: { id: 'after', type: 'core.trigger.Flow', variables: { executionId: 'p' } } },
      { type: 'trigger', id: 'after' },
    ],
    [
      'a parent',
      {},
      { trigger: { id: 'call', type: 'core.flow.Subflow', variables: { executionId: 'p' } } },
      { type: 'execution', id: 'p' },
    ],
  ])('names %s as the creator', (_, history, given, actor) => {
    const created = createExecution(aFlow({ tasks: [] }), { id: 'e', tenantId: 'main', now: 1, ...given });
    const state = {
      ...created.state,
      histories: created.state.histories.map((entry) => ({ ...entry, ...history })),
    };
    expect(presentCreation({ ...created, state }).actor).toEqual(actor);
  });
});
