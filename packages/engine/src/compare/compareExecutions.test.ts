import type { Execution, StateType, TaskRun } from '@millrace/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignTaskRuns } from './alignTaskRuns.ts';
import { compareExecutions } from './compareExecutions.ts';
import { diffValues, firstDifference } from './diffValues.ts';

const epoch = Date.parse('2026-01-01T00:00:00Z');
const iso = (second: number) => new Date(epoch + second * 1_000).toISOString();

interface Given extends Partial<TaskRun> {
  readonly taskId: string;
  readonly from?: number;
  readonly to?: number;
  readonly is?: StateType;
}

function aRun({ from = 0, to = from, is = 'SUCCESS', ...given }: Given, side: string): TaskRun {
  const id = given.id ?? `${side}-${given.taskId}-${given.value ?? ''}`;
  return {
    id,
    executionId: side,
    namespace: 'company.team',
    flowId: 'etl',
    outputs: {},
    attempts: [],
    ...given,
    ...(given.parentTaskRunId === undefined ? {} : { parentTaskRunId: `${side}-${given.parentTaskRunId}-` }),
    state: {
      current: is,
      histories: [],
      duration: `PT${to - from}S`,
      startDate: iso(from),
      endDate: iso(to),
    },
  };
}

function anExecution(side: string, runs: readonly Given[], more: Partial<Execution> = {}): Execution {
  return {
    id: side,
    namespace: 'company.team',
    flowId: 'etl',
    flowRevision: 1,
    labels: [],
    state: { current: 'SUCCESS', histories: [], duration: 'PT1S', startDate: iso(0), endDate: iso(9) },
    originalId: side,
    deleted: false,
    metadata: { attemptNumber: 1, originalCreatedDate: iso(0) },
    taskRunList: runs.map((run) => aRun(run, side)),
    ...more,
  };
}

const compare = (left: readonly Given[], right: readonly Given[]) =>
  compareExecutions(anExecution('left', left), anExecution('right', right));

const pathsOf = (left: readonly Given[], right: readonly Given[]) =>
  compare(left, right).runs.map(({ path, left: a, right: b }) => `${a ? '<' : ' '}${b ? '>' : ' '} ${path}`);

describe('[E390] task runs of two executions are aligned by path', () => {
  const loop = (values: readonly string[]): Given[] => [
    { taskId: 'each' },
    ...values.map((value, iteration) => ({ taskId: 'load', parentTaskRunId: 'each', value, iteration })),
  ];

  it('O-3.2 pairs loop values, wherever a value is new or gone', () => {
    expect(pathsOf(loop(['a', 'b', 'c']), loop(['x', 'a', 'c']))).toEqual([
      '<> each',
      ' > each/load[x]',
      '<> each/load[a]',
      '<  each/load[b]',
      '<> each/load[c]',
    ]);
  });

  it('pairs iterations whose values differ in every execution', () => {
    const left = loop(['millrace:///left/1', 'millrace:///left/2']);
    const right = loop(['millrace:///right/1', 'millrace:///right/2']);
    expect(compare(left, right).runs.every((run) => run.left && run.right)).toBe(true);
  });

  it('keeps runs of the same task apart, and those that only one side has in their order', () => {
    const left = [{ taskId: 'a' }, { taskId: 'b', id: 'b1' }, { taskId: 'b', id: 'b2' }, { taskId: 'd' }];
    const right = [{ taskId: 'a' }, { taskId: 'b' }, { taskId: 'c' }, { taskId: 'd' }];
    expect(pathsOf(left, right)).toEqual(['<> a', '<> b', '<  b#2', ' > c', '<> d']);
  });

  it('lists every task run once and every path once, the same from both sides', () => {
    const runs = fc.array(
      fc.record({
        taskId: fc.constantFrom('a', 'b', 'c'),
        value: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
        iteration: fc.option(fc.nat(3), { nil: undefined }),
        above: fc.option(fc.nat(8), { nil: undefined }),
      }),
      { maxLength: 12 },
    );
    const build = (given: typeof runs extends fc.Arbitrary<infer T> ? T : never, side: string): TaskRun[] =>
      given.map(({ taskId, value, iteration, above }, index) => ({
        ...aRun({ taskId, id: `${side}${index}` }, side),
        ...(value === undefined ? {} : { value }),
        ...(iteration === undefined ? {} : { iteration }),
        // A parent is created before its children, or missing from a list that is cut.
        ...(above === undefined ? {} : { parentTaskRunId: `${side}${above < index ? above : 99}` }),
      }));
    fc.assert(
      fc.property(runs, runs, (a, b) => {
        const [left, right] = [build(a, 'l'), build(b, 'r')];
        const aligned = alignTaskRuns(left, right);
        expect(
          aligned
            .flatMap((one) => one.left ?? [])
            .map(({ id }) => id)
            .sort(),
        ).toEqual(left.map(({ id }) => id).sort());
        expect(
          aligned
            .flatMap((one) => one.right ?? [])
            .map(({ id }) => id)
            .sort(),
        ).toEqual(right.map(({ id }) => id).sort());
        expect(new Set(aligned.map(({ path }) => path)).size).toBe(aligned.length);
        for (const [index, { parent, depth }] of aligned.entries()) {
          expect(parent ?? -1).toBeLessThan(index);
          expect(depth).toBe(parent === undefined ? 0 : (aligned[parent]?.depth ?? 0) + 1);
        }
        const pairs = (list: typeof aligned) => list.filter((one) => one.left && one.right).length;
        expect(pairs(alignTaskRuns(right, left))).toBe(pairs(aligned));
        const same = alignTaskRuns(left, left);
        expect(same.every((one) => one.left === one.right)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('aligns 10,000 task runs a side in a moment', () => {
    const large = (side: string) =>
      anExecution(side, [
        { taskId: 'each' },
        ...Array.from({ length: 10_000 }, (_, iteration) => ({
          taskId: 'load',
          parentTaskRunId: 'each',
          value: String(iteration),
          iteration,
          outputs: { rows: iteration === 9_999 ? side.length : iteration },
        })),
      ]);
    const [left, right] = [large('left'), large('right')];
    const started = Date.now();
    const { different, divergences } = compareExecutions(left, right);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(different).toBe(1);
    expect(divergences).toMatchObject([{ at: 'run', difference: { kind: 'output', name: 'rows' } }]);
  });
});

describe('[E391] the first divergence explains what followed', () => {
  const good: Given[] = [
    { taskId: 'extract', to: 2, outputs: { rows: 10 } },
    { taskId: 'load', from: 2, to: 4 },
    { taskId: 'report', from: 4, to: 5 },
  ];
  const kindsOf = (left: readonly Given[], right: readonly Given[]) => {
    const { divergences, runs } = compare(left, right);
    return divergences.map((one) =>
      one.at === 'start' ? one.difference.kind : `${one.difference.kind} ${runs[one.index]?.path}`,
    );
  };

  it('is nothing when both sides are the same', () => {
    expect(compare(good, good)).toMatchObject({ divergences: [], different: 0 });
  });

  it('O-3.3 lists the output that differs before the failure that it caused, and nothing that only follows', () => {
    const bad: Given[] = [
      { taskId: 'extract', to: 2, outputs: { rows: 0 } },
      { taskId: 'load', from: 2, to: 3, is: 'FAILED' },
      { taskId: 'alert', from: 3, to: 4 },
    ];
    expect(kindsOf(good, bad)).toEqual(['output extract', 'state load']);
  });

  it('names the failed child, not the control task around it', () => {
    const nested = (is: StateType): Given[] => [
      { taskId: 'group', to: 3, is },
      { taskId: 'inner', parentTaskRunId: 'group', to: 3, is },
    ];
    expect(kindsOf(nested('SUCCESS'), nested('FAILED'))).toEqual(['state group/inner']);
  });

  it('names the branch that only one side took, not the tasks in it', () => {
    const branch: Given[] = [
      { taskId: 'extract', to: 2, outputs: { rows: 10 } },
      { taskId: 'branch', from: 2, to: 4 },
      { taskId: 'inside', parentTaskRunId: 'branch', from: 2, to: 4 },
    ];
    expect(kindsOf([good[0]!], branch)).toEqual(['path branch']);
  });

  it('is the earliest by the clock of each execution, not by the order of the rows', () => {
    const parallel = (slow: StateType, fast: StateType): Given[] => [
      { taskId: 'slow', to: 8, is: slow },
      { taskId: 'fast', to: 1, is: fast },
    ];
    expect(kindsOf(parallel('SUCCESS', 'SUCCESS'), parallel('FAILED', 'FAILED'))).toEqual(['state fast']);
  });

  it('mentions attempts and times only when nothing else differs', () => {
    const slow: Given[] = [{ ...good[0]!, to: 12 }, ...good.slice(1)];
    expect(kindsOf(good, slow)).toEqual(['duration extract']);
    const [divergence] = compare(good, slow).divergences;
    expect(divergence?.difference).toEqual({ kind: 'duration', slower: 'right', factor: 6 });
    expect(kindsOf(good, [...slow.slice(0, 2), { ...good[2]!, is: 'FAILED' }])).toEqual(['state report']);
  });

  it('starts with the flow, its revision and the inputs', () => {
    const left = anExecution('left', good, { inputs: { day: 'mon', size: { rows: [1, 2] } } });
    const right = anExecution('right', good, {
      flowRevision: 2,
      inputs: { day: 'mon', size: { rows: [1, 3] } },
    });
    expect(compareExecutions(left, right).divergences).toEqual([
      { at: 'start', difference: { kind: 'revision', left: 1, right: 2 } },
      { at: 'start', difference: { kind: 'input', name: 'size.rows[1]', left: 2, right: 3 } },
    ]);
    expect(compareExecutions(left, { ...left, flowId: 'other' }).divergences).toMatchObject([
      { difference: { kind: 'flow', left: 'company.team.etl', right: 'company.team.other' } },
    ]);
  });

  it('ignores ids of the execution and its task runs, and the random names of files', () => {
    const outputs = (side: string) => ({
      link: `https://a/${side}`,
      run: `${side}-extract-`,
      uri: `millrace:///company/team/etl/executions/${side}/tasks/extract/${side}-extract-/${side}1.csv`,
    });
    const of = (side: string): Given[] => [{ taskId: 'extract', outputs: outputs(side) }];
    expect(compare(of('left'), of('right')).different).toBe(0);
  });
});

it('[E390] values are compared part by part, with the path to the first that differs', () => {
  const differences = diffValues(
    { same: 1, list: [{ a: 1 }, { a: 2 }], gone: true, kind: [] },
    { same: 1, list: [{ a: 1 }, { a: 3 }], kind: {}, fresh: null },
  );
  expect(differences.map(({ name, kind }) => [name, kind])).toEqual([
    ['same', 'same'],
    ['list', 'changed'],
    ['gone', 'onlyLeft'],
    ['kind', 'changed'],
    ['fresh', 'onlyRight'],
  ]);
  expect(firstDifference(differences)).toMatchObject({
    path: 'list[1].a',
    difference: { left: 2, right: 3 },
  });
  fc.assert(
    fc.property(fc.clone(fc.dictionary(fc.string(), fc.jsonValue()), 2), ([value, twin]) => {
      expect(firstDifference(diffValues(value, twin))).toBeUndefined();
    }),
  );
});
