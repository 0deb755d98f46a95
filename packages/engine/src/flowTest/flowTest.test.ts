import type { Flow, TestSuite } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { dryRun } from '../dryRun/dryRun.ts';
import type { TaskFixture } from '../dryRun/types.ts';
import { parseFlow } from '../flow/parseFlow.ts';
import { createExecution } from '../run/create.ts';
import { countCoverage, coverageOf, mergeCoverage } from './coverage.ts';
import { toJunit } from './junit.ts';
import { readTestSuite } from './readTestSuite.ts';
import { recordTestSuite, writeTestSuite } from './recordTestSuite.ts';
import { runTestSuite } from './runTestSuite.ts';

const types = { find: () => undefined };

const source = `id: orders
namespace: company.team
inputs: [{id: amount, type: INT, defaults: 5}]
tasks:
  - {id: fetch, type: core.http.Request, uri: "https://example.com/{{ inputs.amount }}"}
  - id: big
    type: core.flow.If
    condition: "{{ inputs.amount > 10 }}"
    then: [{id: ask, type: core.log.Log, message: "ask {{ outputs.fetch.body }}"}]
    else: [{id: pay, type: core.debug.Return, format: "pay {{ outputs.fetch.code }}"}]
errors: [{id: tell, type: core.log.Log, message: failed}]
outputs: [{id: result, type: STRING, value: "{{ outputs.pay.value ?? 'asked' }}"}]
`;

function flowOf(text: string): Flow {
  const { flow } = parseFlow(text);
  if (!flow) throw new Error('The text is not a flow.');
  return flow;
}

function suiteOf(text: string): TestSuite {
  const { suite, issues } = readTestSuite(text);
  expect(issues).toEqual([]);
  if (!suite) throw new Error('The text is not a test suite.');
  return suite;
}

const suiteText = `
id: orders_test
namespace: company.team
flowId: orders
testCases:
  - id: small
    type: io.kestra.core.tests.flow.UnitTest
    fixtures:
      inputs: {amount: 1}
      now: 2026-05-04T10:00:00Z
      tasks: [{id: fetch, outputs: {code: 200, body: fine}}]
    assertions:
      - {state: SUCCESS}
      - {taskId: pay, state: SUCCESS}
      - {untaken: [ask, tell]}
      - {value: "{{ outputs.pay.value }}", equalTo: pay 200, startsWith: pay, contains: "20"}
      - {value: "{{ outputs.fetch.code }}", greaterThan: 100, lessThanOrEqualTo: 200, in: [200, 201]}
      - {value: "{{ execution.outputs.result }}", notEqualTo: asked}
      - {value: "{{ outputs.ask }}", isNull: true}
  - id: large
    fixtures:
      inputs: {amount: 11}
      tasks: [{id: fetch, outputs: {body: text}}]
    assertions:
      - {taskId: ask, log: ask text, level: INFO}
  - id: broken
    fixtures: {tasks: [{id: fetch, state: FAILED}]}
    assertions: [{state: FAILED}, {log: failed}]
`;

describe('flow tests', () => {
  it('A-6.2 A-6.3 checks states, values, logs and untaken tasks, and counts the covered branches', async () => {
    const outcome = await runTestSuite(suiteOf(suiteText), flowOf(source), { types });
    expect(
      outcome.results.map(({ testId, state, assertionResults }) => [
        testId,
        state,
        assertionResults.filter(({ isSuccess }) => !isSuccess),
      ]),
    ).toEqual([
      ['small', 'SUCCESS', []],
      ['large', 'SUCCESS', []],
      ['broken', 'SUCCESS', []],
    ]);
    expect(outcome.coverage.every(({ isCovered }) => isCovered)).toBe(true);
    const [first] = suiteOf(suiteText).testCases;
    const one = await runTestSuite(
      { ...suiteOf(suiteText), testCases: first ? [first] : [] },
      flowOf(source),
      { types },
    );
    const missed = (coverage: typeof one.coverage) =>
      coverage.filter(({ isCovered }) => !isCovered).map(({ taskId, branch }) => `${taskId} ${branch}`);
    expect(missed(one.coverage)).toEqual(['big then', 'ask task', 'tell task', ' errors']);
    expect(countCoverage(one.coverage)).toEqual({
      branches: { covered: 1, total: 3 },
      tasks: { covered: 3, total: 5 },
    });
    expect(missed(mergeCoverage([one.coverage, outcome.coverage]))).toEqual([]);
  });

  it('counts branches apart from tasks: choices, conditions, errors, and loops that are entered or empty', async () => {
    const flow = flowOf(`id: branches
namespace: company.team
inputs: [{id: items, type: JSON, defaults: "[1]"}, {id: kind, type: STRING, defaults: a}]
tasks:
  - {id: maybe, type: core.log.Log, runIf: "{{ inputs.kind == 'a' }}", message: x}
  - id: kinds
    type: core.flow.Switch
    value: "{{ inputs.kind }}"
    cases: {a: [{id: first, type: core.log.Log, message: a}], b: [{id: second, type: core.log.Log, message: b}]}
  - id: guarded
    type: core.flow.Sequential
    errors: [{id: report, type: core.log.Log, message: failed}]
    tasks:
      - id: each
        type: core.flow.ForEach
        values: "{{ inputs.items }}"
        tasks: [{id: inner, type: core.log.Log, message: "{{ taskrun.value }}"}]
      - id: never
        type: core.flow.If
        disabled: true
        condition: true
        then: [{id: unreachable, type: core.log.Log, message: x}]
`);
    const run = (inputs: Record<string, unknown>, tasks: TaskFixture[] = []) =>
      dryRun(flow, { types, now: 0, inputs, tasks });
    const missed = (coverage: ReturnType<typeof coverageOf>) =>
      coverage.filter(({ isCovered }) => !isCovered).map(({ taskId, branch }) => `${taskId} ${branch}`);
    const usual = coverageOf(flow, [await run({})]);
    expect(missed(usual)).toEqual([
      'maybe skip',
      'kinds cases.b',
      'kinds defaults',
      'second task',
      'guarded errors',
      'each empty',
      'report task',
    ]);
    expect(countCoverage(usual)).toEqual({
      branches: { covered: 3, total: 8 },
      tasks: { covered: 6, total: 8 },
    });
    const others = [
      await run({ items: '[]', kind: 'b' }),
      await run({ kind: 'c' }),
      await run({}, [{ id: 'inner', state: 'FAILED' }]),
    ];
    expect(missed(mergeCoverage([usual, coverageOf(flow, others)]))).toEqual([]);
  });

  it('A-6.9 counts the branches of a ForEachItem by its batches, and those of a LoopUntil by its iterations', async () => {
    const flow = flowOf(`id: loops
namespace: company.team
tasks:
  - {id: batches, type: core.flow.ForEachItem, items: "millrace:///rows", namespace: company.team, flowId: one}
  - id: until
    type: core.flow.LoopUntil
    condition: "{{ outputs.poll.code == 200 }}"
    tasks: [{id: poll, type: core.http.Request, uri: "https://example.com"}]
`);
    const run = (batches: number, ...codes: readonly number[]) =>
      dryRun(flow, {
        types,
        now: 0,
        tasks: [
          { id: 'batches_items', outputs: { numberOfBatches: batches } },
          ...codes.map((code) => ({ id: 'poll', outputs: { code } })),
        ],
      });
    const branches = (coverage: ReturnType<typeof coverageOf>, isCovered: boolean) =>
      coverage
        .filter((one) => one.branch !== 'task' && one.isCovered === isCovered)
        .map(({ taskId, branch }) => `${taskId} ${branch}`);
    const usual = coverageOf(flow, [await run(2, 200)]);
    expect(branches(usual, true)).toEqual(['batches loop', 'until done']);
    const other = coverageOf(flow, [await run(0, 202, 200)]);
    expect(branches(other, true)).toEqual(['batches empty', 'until repeat', 'until done']);
    expect(branches(mergeCoverage([usual, other]), false)).toEqual([]);
  });

  it('says what was expected and what came when an assertion fails', async () => {
    const changed = flowOf(source.replace('pay {{', 'paid {{'));
    const outcome = await runTestSuite(suiteOf(suiteText), changed, { types });
    expect(outcome.state).toBe('FAILED');
    const failed = outcome.results[0]?.assertionResults.filter(({ isSuccess }) => !isSuccess);
    expect(failed?.[0]).toMatchObject({ operator: 'equalTo', expected: 'pay 200', actual: 'paid 200' });
    const xml = toJunit([
      {
        ...outcome,
        id: 'orders_test',
        namespace: 'company.team',
        flowId: 'orders',
        flowRevision: 1,
        startDate: '',
        endDate: '',
        results: [...outcome.results],
        coverage: [],
      },
    ]);
    expect(xml).toContain('<testsuites tests="3" failures="1" errors="0" skipped="0">');
    expect(xml).toContain('expected equalTo &quot;pay 200&quot;, got &quot;paid 200&quot;');
  });

  it('is an error when a fixture names a task that the flow lacks, and skips disabled cases', async () => {
    const renamed = flowOf(source.replaceAll('fetch', 'load'));
    const outcome = await runTestSuite(suiteOf(suiteText), renamed, { types });
    expect(outcome.state).toBe('ERROR');
    expect(outcome.results[0]?.errors).toEqual(['The flow has no task "fetch", which a fixture names.']);
    const disabled = await runTestSuite({ ...suiteOf(suiteText), disabled: true }, flowOf(source), { types });
    expect(disabled.state).toBe('SKIPPED');
  });

  it.each([
    ['id: a\nnamespace: b\n', 'flowId'],
    [
      'id: a\nnamespace: b\nflowId: c\ntestCases: [{id: x, assertions: [{value: 1}]}]\n',
      'testCases[0].assertions[0]',
    ],
    [
      'id: a\nnamespace: b\nflowId: c\ntestCases: [{id: x, assertions: [{equalTo: 1}]}]\n',
      'testCases[0].assertions[0]',
    ],
    [
      'id: a\nnamespace: b\nflowId: c\ntestCases: [{id: x, assertions: [{typo: 1}]}]\n',
      'testCases[0].assertions[0]',
    ],
    [
      'id: a\nnamespace: b\nflowId: c\ntestCases: [{id: x, assertions: [{state: SUCCESS}]}, {id: x, assertions: [{state: SUCCESS}]}]\n',
      'testCases[1].id',
    ],
    ['id: [', 'yaml'],
  ])('reports the place of an error in %j', (text, path) => {
    const { suite, issues } = readTestSuite(text);
    expect(suite).toBeUndefined();
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(issues[0]?.range).toBeDefined();
  });

  it('records an execution as a test that passes, without secrets and values that change', async () => {
    const flow = flowOf(
      `${source}`.replace(
        'tasks:\n',
        'tasks:\n  - {id: stamp, type: core.debug.Return, format: "{{ execution.id }}"}\n',
      ),
    );
    const now = Date.parse('2026-03-01T00:00:00Z');
    const done = await dryRun(flow, {
      types,
      now,
      inputs: { amount: 3 },
      tasks: [
        {
          id: 'fetch',
          outputs: { code: 201, token: { type: 'io.kestra.datatype:aes_encrypted', value: 'cipher' } },
        },
      ],
    });
    const histories = [{ state: 'CREATED' as const, date: now }];
    const taskRuns = done.taskRuns.map(({ id, taskId, state, outputs, parentId }, order) => ({
      id,
      taskId,
      order,
      executionId: 'real',
      state: { current: state, histories },
      attempts: [],
      ...(outputs ? { outputs: taskId === 'stamp' ? { value: 'real-id' } : outputs } : {}),
      ...(parentId === undefined ? {} : { parentId }),
    }));
    const execution = {
      ...createExecution(flow, { id: 'real', tenantId: 'main', now, inputs: { amount: 3 } }),
      state: { current: 'SUCCESS' as const, histories },
      outputs: { result: 'pay 201' },
    };
    const suite = await recordTestSuite({ flow, execution, taskRuns, logs: done.logs }, { types });
    const text = writeTestSuite(suite);
    expect(text).not.toContain('cipher');
    expect(text).not.toContain('real-id');
    expect(suite.testCases[0]?.fixtures).toMatchObject({
      now: '2026-03-01T00:00:00.000Z',
      inputs: { amount: 3 },
      tasks: [{ id: 'fetch', outputs: { code: 201, token: '******' } }],
    });
    expect(suite.testCases[0]?.assertions).toEqual([
      { state: 'SUCCESS' },
      { taskId: 'stamp', state: 'SUCCESS' },
      { taskId: 'fetch', state: 'SUCCESS' },
      { taskId: 'big', state: 'SUCCESS' },
      { taskId: 'pay', state: 'SUCCESS' },
      { untaken: ['ask', 'tell'] },
      { value: '{{ outputs.pay.value }}', equalTo: 'pay 201' },
      { value: '{{ execution.outputs.result }}', equalTo: 'pay 201' },
    ]);
    const again = await runTestSuite(suiteOf(text), flow, { types });
    expect(again.state).toBe('SUCCESS');
  });
});
