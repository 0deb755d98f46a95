import type { Task } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../run/effect.ts';
import { aFlow, aTask, Harness } from '../run/testing/harness.ts';

const subflow = (more: Record<string, unknown> = {}): Task =>
  aTask('sub', {
    type: 'core.flow.Subflow',
    namespace: 'company',
    flowId: '{{ "child" }}',
    inputs: { a: '{{ 1 + 1 }}', b: 2 },
    ...more,
  });
const childRequests = (run: Harness) =>
  run.effects.filter(
    (effect): effect is Extract<Effect, { effect: 'createChild' }> => effect.effect === 'createChild',
  );

function started(more: Record<string, unknown> = {}, next: Task[] = [aTask('next')]): Harness {
  const run = new Harness(aFlow({ tasks: [subflow(more), ...next] })).start();
  return run.send({ type: 'childCreated', taskRunId: run.runOf('sub').id, executionId: 'child1', index: 0 });
}
const ended = (
  run: Harness,
  state: 'SUCCESS' | 'FAILED' | 'WARNING' | 'KILLED' | 'CANCELLED',
  outputs?: Record<string, unknown>,
) =>
  run.send({
    type: 'childEnded',
    taskRunId: run.runOf('sub').id,
    executionId: 'child1',
    state,
    index: 0,
    ...(outputs ? { outputs } : {}),
  });

describe('Subflow', () => {
  it('[E66] asks for a child with its rendered properties and waits for it', () => {
    const run = started();
    expect(childRequests(run)[0]!.request).toMatchObject({
      namespace: 'company',
      flowId: 'child',
      inputs: { a: '2', b: 2 },
    });
    expect(run.summary()).toEqual(['sub:RUNNING']);
    ended(run, 'SUCCESS', { result: 1 });
    expect(run.summary()).toEqual(['sub:SUCCESS', 'next:SUCCESS']);
    expect(run.runOf('sub').outputs).toEqual({
      executionId: 'child1',
      state: 'SUCCESS',
      outputs: { result: 1 },
    });
    expect(run.runOf('sub').attempts.map((attempt) => attempt.state.current)).toEqual(['SUCCESS']);
  });

  it('[E66] takes expressions for its switches, inputs and labels', () => {
    const free = started({ wait: '{{ 1 == 2 }}' });
    expect(free.summary()).toEqual(['sub:SUCCESS', 'next:SUCCESS']);
    const kept = started({
      transmitFailed: '{{ false }}',
      inheritLabels: '{{ true }}',
      inputs: '{{ {"a": 1} | json }}',
      labels: '{{ {"k": "v"} | json }}',
    });
    expect(childRequests(kept)[0]!.request).toMatchObject({
      inputs: { a: 1 },
      labels: [{ key: 'k', value: 'v' }],
      inheritLabels: true,
    });
    ended(kept, 'FAILED');
    expect(kept.summary()[0]).toBe('sub:SUCCESS');
  });

  it.each([
    ['FAILED', {}, 'FAILED'],
    ['WARNING', {}, 'WARNING'],
    ['KILLED', {}, 'KILLED'],
    ['CANCELLED', {}, 'SUCCESS'],
    ['FAILED', { transmitFailed: false }, 'SUCCESS'],
    ['FAILED', { allowFailure: true }, 'WARNING'],
  ] as const)('[E67] a child that ended %s with %j gives %s', (state, more, expected) => {
    const run = started(more, []);
    ended(run, state);
    expect(run.runOf('sub').state.current).toBe(expected);
    expect(run.live.hasEnded()).toBe(true);
  });

  it('[E77] asks for the outputs it names, unless it does not wait', () => {
    const outputs = { total: '{{ outputs.sum.value }}' };
    expect(childRequests(started({ outputs }))[0]!.request.outputs).toEqual(outputs);
    expect(childRequests(started({ outputs, wait: false }))[0]!.request.outputs).toBeUndefined();
  });

  it.each([
    [{}, 'FAILED'],
    [{ transmitFailed: false }, 'FAILED'],
    [{ allowFailure: true }, 'WARNING'],
  ])('[E77] outputs that could not be computed fail the task, with %j: %s', (more, expected) => {
    const run = started(more, []);
    run.send({
      type: 'childEnded',
      taskRunId: run.runOf('sub').id,
      executionId: 'child1',
      state: 'SUCCESS',
      problem: 'no such output',
      index: 0,
    });
    expect(run.runOf('sub').state.current).toBe(expected);
    expect(run.runOf('sub').outputs).toEqual({ executionId: 'child1', state: 'SUCCESS' });
    expect(run.logs.join()).toContain('no such output');
  });

  it('[E68] without waiting, it succeeds as soon as the child exists', () => {
    const run = started({ wait: false });
    expect(run.summary()).toEqual(['sub:SUCCESS', 'next:SUCCESS']);
    expect(run.runOf('sub').outputs).toMatchObject({ executionId: 'child1' });
  });

  it('[E69] a child that cannot be made fails the task with the reason', () => {
    const run = new Harness(aFlow({ tasks: [subflow()] })).start();
    run.send({
      type: 'childRefused',
      taskRunId: run.runOf('sub').id,
      reason: 'There is no flow "child".',
      index: 0,
    });
    expect(run.state).toBe('FAILED');
    expect(run.logs.join()).toContain('There is no flow "child".');
  });

  it('[E91] a restart restarts the failed child, or makes a new one when the author wants that', () => {
    const again = started({}, []);
    ended(again, 'FAILED').send({ type: 'restart' });
    expect(childRequests(again).map((effect) => effect.restart)).toEqual([false, true]);
    const fresh = started({ restartBehavior: 'NEW_EXECUTION' }, []);
    ended(fresh, 'FAILED').send({ type: 'restart' });
    expect(childRequests(fresh).map((effect) => effect.restart)).toEqual([false, false]);
  });

  it('[E70] a retry makes a new child per attempt', () => {
    const run = started({ retry: { type: 'constant', interval: 'PT1S', maxAttempt: 2 } }, []);
    ended(run, 'FAILED').wake();
    expect(childRequests(run)).toHaveLength(2);
    run.send({ type: 'childCreated', taskRunId: run.runOf('sub').id, executionId: 'child2', index: 0 });
    ended(run, 'SUCCESS');
    expect(run.state).toBe('SUCCESS');
    expect(run.runOf('sub').attempts).toHaveLength(2);
  });
});

describe('ForEachItem', () => {
  const forEachItem = aTask('items', {
    type: 'core.flow.ForEachItem',
    items: 'millrace:///file',
    namespace: 'company',
    flowId: 'child',
    inputs: { file: '{{ taskrun.items }}', n: '{{ taskrun.iteration }}' },
  });

  function splitInto(lines: string, environment: { maxIterations?: number } = {}): Harness {
    const script = { items_split: { state: 'SUCCESS', outputs: { splits: 'millrace:///splits' } } } as const;
    const run = new Harness(aFlow({ tasks: [forEachItem] }), script, {}, environment).start();
    const asked = run.effects.find((effect) => effect.effect === 'resolve');
    expect(asked).toMatchObject({ key: 'splits' });
    return run.send({
      type: 'resolved',
      taskRunId: run.runOf('items_items').id,
      key: 'splits',
      result: { value: lines },
    });
  }

  it('[E47] splits, runs a child per batch and merges', () => {
    const run = splitInto('u1\nu2\n');
    expect(childRequests(run).map((effect) => effect.request.inputs)).toEqual([
      { file: 'u1', n: '1' },
      { file: 'u2', n: '2' },
    ]);
    const taskRunId = run.runOf('items_items').id;
    run.send({ type: 'childEnded', taskRunId, executionId: 'c2', state: 'SUCCESS', index: 1 });
    expect(run.runOf('items_items').outputs).toMatchObject({
      numberOfBatches: 2,
      iterations: { CREATED: 1, SUCCESS: 1 },
    });
    run.send({
      type: 'childEnded',
      taskRunId,
      executionId: 'c1',
      state: 'SUCCESS',
      index: 0,
      outputsBaseUri: 'millrace:///base',
    });
    expect(childRequests(run).map((effect) => effect.request.storesOutputs)).toEqual([true, true]);
    expect(run.runOf('items_items').outputs).toEqual({
      numberOfBatches: 2,
      iterations: { CREATED: 0, RUNNING: 0, SUCCESS: 2, WARNING: 0, FAILED: 0, KILLED: 0, CANCELLED: 0 },
      subflowOutputsBaseUri: 'millrace:///base',
    });
    expect(run.summary()).toEqual([
      'items:SUCCESS',
      'items_split:SUCCESS',
      'items_items:SUCCESS',
      'items_merge:SUCCESS',
    ]);
  });

  it('[E47] without wait every batch counts as SUCCESS', () => {
    const run = new Harness(aFlow({ tasks: [{ ...forEachItem, wait: false }] }), {
      items_split: { state: 'SUCCESS', outputs: { splits: 'millrace:///splits' } },
    }).start();
    const taskRunId = run.runOf('items_items').id;
    run.send({ type: 'resolved', taskRunId, key: 'splits', result: { value: 'u1\nu2\nu3\n' } });
    for (const index of [0, 1, 2])
      run.send({ type: 'childCreated', taskRunId, executionId: `c${index}`, index });
    expect(run.state).toBe('SUCCESS');
    expect(run.runOf('items_items').outputs).toEqual({
      numberOfBatches: 3,
      iterations: { CREATED: 0, RUNNING: 0, SUCCESS: 3, WARNING: 0, FAILED: 0, KILLED: 0, CANCELLED: 0 },
    });
  });

  it('[E373] continues when the last of several failed children is repaired', () => {
    const run = splitInto('u1\nu2\nu3\n');
    const taskRunId = run.runOf('items_items').id;
    const end = (index: number, state: 'SUCCESS' | 'FAILED') =>
      run.reload().send({ type: 'childEnded', taskRunId, executionId: `c${index}`, state, index });
    end(0, 'FAILED');
    end(1, 'SUCCESS');
    end(2, 'FAILED');
    expect(run.state).toBe('FAILED');
    end(2, 'SUCCESS');
    expect(run.state).toBe('FAILED');
    expect(run.runOf('items_items').outputs).toMatchObject({ iterations: { SUCCESS: 2, FAILED: 1 } });
    end(0, 'FAILED');
    end(0, 'SUCCESS');
    expect(run.summary()).toEqual([
      'items:SUCCESS',
      'items_split:SUCCESS',
      'items_items:SUCCESS',
      'items_merge:SUCCESS',
    ]);
    expect(run.runOf('items_items').outputs).toMatchObject({ iterations: { SUCCESS: 3, FAILED: 0 } });
  });

  it('[E48] a failed child fails the items and nothing is merged', () => {
    const run = splitInto('u1');
    run.send({
      type: 'childEnded',
      taskRunId: run.runOf('items_items').id,
      executionId: 'c',
      state: 'FAILED',
      index: 0,
    });
    expect(run.summary()).toEqual(['items:FAILED', 'items_split:SUCCESS', 'items_items:FAILED']);
  });

  it('[E49] no batches: no children, success', () => {
    expect(splitInto('').state).toBe('SUCCESS');
  });

  it('[E354] more batches than the limit allows fail it without a child', () => {
    const run = splitInto('u1\nu2\nu3\n', { maxIterations: 2 });
    expect(run.runOf('items_items').state.current).toBe('FAILED');
    expect(childRequests(run)).toEqual([]);
    expect(run.logs.join()).toContain('The loop has 3 iterations, but an execution may have at most 2.');
    const split = run.effects.find((effect) => effect.effect === 'run');
    expect(split).toMatchObject({ task: { id: 'items_split', maxBatches: 2 } });
  });

  it('[E46] the inner tasks are found again after a reload', () => {
    const run = splitInto('u1').reload();
    run.send({
      type: 'childEnded',
      taskRunId: run.runOf('items_items').id,
      executionId: 'c',
      state: 'SUCCESS',
      index: 0,
    });
    expect(run.state).toBe('SUCCESS');
  });
});
