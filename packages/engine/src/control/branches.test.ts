import type { Flow } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { aFlow, aTask, Harness, type Script } from '../run/testing/harness.ts';
import { findZone } from '../schedule/zone.ts';

const sequential = (id: string, tasks: unknown[], more = {}) =>
  aTask(id, { type: 'core.flow.Sequential', tasks, ...more });
const ifTrue = (id: string, then: unknown[], more = {}) =>
  aTask(id, { type: 'core.flow.If', condition: '{{ true }}', then, ...more });

interface Case {
  readonly name: string;
  readonly flow: Partial<Flow> & { tasks: Flow['tasks'] };
  readonly script?: Script;
  readonly runs: string[];
  readonly state: string;
}

const cases: Case[] = [
  {
    name: '[E10] errors start when a direct task failed, then finally',
    flow: {
      tasks: [ifTrue('if', [aTask('ko')])],
      errors: [aTask('e1'), aTask('e2')],
      finally: [aTask('a1'), aTask('a2')],
    },
    script: { ko: 'FAILED' },
    runs: ['if:FAILED', 'ko:FAILED', 'e1:SUCCESS', 'e2:SUCCESS', 'a1:SUCCESS', 'a2:SUCCESS'],
    state: 'FAILED',
  },
  {
    name: '[E11] finally runs after a failure without errors',
    flow: { tasks: [ifTrue('if', [aTask('ko')])], finally: [aTask('a1'), aTask('a2')] },
    script: { ko: 'FAILED' },
    runs: ['if:FAILED', 'ko:FAILED', 'a1:SUCCESS', 'a2:SUCCESS'],
    state: 'FAILED',
  },
  {
    name: '[E11] finally runs after success',
    flow: { tasks: [ifTrue('if', [aTask('ok')])], errors: [aTask('e1')], finally: [aTask('a1')] },
    runs: ['if:SUCCESS', 'ok:SUCCESS', 'a1:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E2] the task after a failed one never starts; finally does',
    flow: { tasks: [aTask('ko'), aTask('ok')], finally: [aTask('a1')] },
    script: { ko: 'FAILED' },
    runs: ['ko:FAILED', 'a1:SUCCESS'],
    state: 'FAILED',
  },
  {
    name: '[E12] a failure in errors and finally does not stop their next tasks nor change the state',
    flow: { tasks: [aTask('ok')], finally: [aTask('a1'), aTask('a2')] },
    script: { a1: 'FAILED' },
    runs: ['ok:SUCCESS', 'a1:FAILED', 'a2:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E13] branches inside a control task decide its state after finally',
    flow: {
      tasks: [sequential('s', [aTask('ko')], { errors: [aTask('e')], finally: [aTask('f')] }), aTask('next')],
    },
    script: { ko: 'FAILED' },
    runs: ['s:FAILED', 'ko:FAILED', 'e:SUCCESS', 'f:SUCCESS'],
    state: 'FAILED',
  },
  {
    name: '[E14] AllowFailure turns the failure of its children into a warning',
    flow: {
      tasks: [
        aTask('allow', {
          type: 'core.flow.AllowFailure',
          tasks: [ifTrue('if', [aTask('ko')])],
          errors: [aTask('e1'), aTask('e2')],
          finally: [aTask('a1'), aTask('a2')],
        }),
      ],
    },
    script: { ko: 'FAILED' },
    runs: ['allow:WARNING', 'if:FAILED', 'ko:FAILED', 'e1:SUCCESS', 'e2:SUCCESS', 'a1:SUCCESS', 'a2:SUCCESS'],
    state: 'WARNING',
  },
  {
    name: '[E15] allowFailure makes a failed task a warning and the flow continues',
    flow: { tasks: [aTask('ko', { allowFailure: true }), aTask('next')] },
    script: { ko: 'FAILED' },
    runs: ['ko:WARNING', 'next:SUCCESS'],
    state: 'WARNING',
  },
  {
    name: '[E15] allowFailure with allowWarning makes it a success',
    flow: { tasks: [aTask('ko', { allowFailure: true, allowWarning: true })] },
    script: { ko: 'FAILED' },
    runs: ['ko:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E16] allowWarning alone makes a warning a success',
    flow: { tasks: [aTask('w', { allowWarning: true })] },
    script: { w: 'WARNING' },
    runs: ['w:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E17] disabled tasks are left out everywhere',
    flow: { tasks: [aTask('a', { disabled: true }), aTask('b')], finally: [aTask('f', { disabled: true })] },
    runs: ['b:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E18] a container whose children are all disabled succeeds instead of hanging',
    flow: {
      tasks: [
        sequential('s', [aTask('a', { disabled: true })]),
        aTask('p', { type: 'core.flow.Parallel', tasks: [aTask('b', { disabled: true })] }),
      ],
    },
    runs: ['s:SUCCESS', 'p:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E18] a flow whose tasks are all disabled succeeds',
    flow: { tasks: [aTask('a', { disabled: true })] },
    runs: [],
    state: 'SUCCESS',
  },
  {
    name: '[E19] runIf that is false skips the task, also a control task; the flow continues',
    flow: {
      tasks: [
        aTask('a', { runIf: '{{ false }}' }),
        sequential('s', [aTask('x')], { runIf: '{{ 0 }}' }),
        aTask('b', { runIf: '{{ true }}' }),
      ],
    },
    runs: ['a:SKIPPED', 's:SKIPPED', 'b:SUCCESS'],
    state: 'SUCCESS',
  },
  {
    name: '[E19] runIf that cannot be rendered fails the task',
    flow: { tasks: [aTask('a', { runIf: '{{ outputs.nope.value }}' })] },
    runs: ['a:FAILED'],
    state: 'FAILED',
  },
  {
    name: '[E20] afterExecution runs when the state is already final and leaves it alone',
    flow: {
      tasks: [aTask('ko')],
      afterExecution: [aTask('after', { format: '{{ execution.state }}' }), aTask('more')],
    },
    script: { ko: 'FAILED', more: 'FAILED' },
    runs: ['ko:FAILED', 'after:SUCCESS', 'more:FAILED'],
    state: 'FAILED',
  },
];

describe('branches', () => {
  it.each(cases)('$name', ({ flow, script, runs, state }) => {
    const run = new Harness(aFlow(flow), script).start();
    expect(run.summary()).toEqual(runs);
    expect(run.state).toBe(state);
    expect(run.live.hasEnded()).toBe(true);
  });

  it('[E20] afterExecution sees the final state', () => {
    const run = new Harness(
      aFlow({ tasks: [aTask('a')], afterExecution: [aTask('after', { format: '{{ execution.state }}' })] }),
    ).start();
    expect(run.runOf('after').outputs).toEqual({ value: 'SUCCESS' });
  });

  it('[E20] listeners run before afterExecution, those whose conditions hold', () => {
    const listeners = [{ tasks: [aTask('l1')] }, { tasks: [aTask('l2')] }];
    const run = new Harness(aFlow({ tasks: [aTask('a')], listeners, afterExecution: [aTask('after')] }));
    run.listeners = [1];
    expect(run.start().summary()).toEqual(['a:SUCCESS', 'l2:SUCCESS', 'after:SUCCESS']);
    expect(run.state).toBe('SUCCESS');
    expect(run.live.hasEnded()).toBe(true);
  });

  it('[E20] the conditions of listeners look at the execution as it ended', async () => {
    const condition = (state: string) => [{ type: 'core.condition.ExecutionStatus', in: [state] }];
    const listeners = [
      { conditions: condition('SUCCESS'), tasks: [aTask('l1')] },
      { conditions: condition('FAILED'), tasks: [aTask('l2')] },
    ];
    const run = new Harness(aFlow({ tasks: [aTask('ko')], listeners }), { ko: 'FAILED' }).start();
    const host = { now: () => 0, random: () => 0, id: () => '' };
    expect(await run.live.chooseListeners(host, findZone('UTC')!)).toEqual([1]);
  });
});
