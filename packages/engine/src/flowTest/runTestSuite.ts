import type {
  AssertionResult,
  Flow,
  TestCase,
  TestCaseResult,
  TestedBranch,
  TestState,
  TestSuite,
} from '@millrace/contract';
import { dryRun } from '../dryRun/dryRun.ts';
import type { DryRunOptions, DryRunResult } from '../dryRun/types.ts';
import { allTasks } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';
import { checkAssertion } from './checkAssertion.ts';
import { coverageOf } from './coverage.ts';

/** What all cases share. */
export type TestSurroundings = Pick<
  DryRunOptions,
  'types' | 'defaults' | 'limits' | 'clock' | 'pause' | 'subflowOutputs'
>;

export interface SuiteOutcome {
  readonly state: TestState;
  readonly results: readonly TestCaseResult[];
  readonly coverage: readonly TestedBranch[];
}

/** The clock of a test that sets none, so that two runs give the same result. */
const defaultNow = Date.parse('2026-01-01T00:00:00Z');

/** A suite that takes longer is cut off: it would block a server for others. */
const maxSuiteMs = 30_000;
const tooSlow = `The case was not run because the suite took longer than ${maxSuiteMs / 1000} s.`;

/** Runs every case of a suite on the flow. Nothing outside is touched. */
export async function runTestSuite(
  suite: TestSuite,
  flow: Flow,
  surroundings: TestSurroundings,
): Promise<SuiteOutcome> {
  const results: TestCaseResult[] = [];
  const runs: DryRunResult[] = [];
  const beganAt = surroundings.clock?.() ?? 0;
  for (const testCase of suite.testCases) {
    if ((surroundings.clock?.() ?? 0) - beganAt > maxSuiteMs) {
      results.push({ ...unrun(testCase), state: 'ERROR', errors: [tooSlow] });
      continue;
    }
    const { result, run } = await runCase(suite, testCase, flow, surroundings);
    results.push(result);
    if (run) runs.push(run);
  }
  return { state: worst(results.map(({ state }) => state)), results, coverage: coverageOf(flow, runs) };
}

const unrun = ({ id }: TestCase) => ({
  testId: id,
  assertionResults: [],
  errors: [],
  assumptions: [],
  durationMs: 0,
});

export function worst(states: readonly TestState[]): TestState {
  if (states.includes('ERROR')) return 'ERROR';
  if (states.includes('FAILED')) return 'FAILED';
  return states.length > 0 && states.every((state) => state === 'SKIPPED') ? 'SKIPPED' : 'SUCCESS';
}

async function runCase(
  suite: TestSuite,
  testCase: TestCase,
  flow: Flow,
  surroundings: TestSurroundings,
): Promise<{ result: TestCaseResult; run?: DryRunResult }> {
  const base = unrun(testCase);
  if (suite.disabled || testCase.disabled) return { result: { ...base, state: 'SKIPPED' } };
  const errors = unknownTasks(testCase, flow);
  if (errors.length > 0) return { result: { ...base, state: 'ERROR', errors } };
  const beganAt = surroundings.clock?.() ?? 0;
  const run = await dryRun(flow, { ...surroundings, ...optionsOf(testCase) });
  const durationMs = Math.round((surroundings.clock?.() ?? 0) - beganAt);
  const assumptions = run.assumptions.map(({ kind, name }) => `${kind} ${name}`);
  const reasons = [...run.inputErrors, ...(run.stopped === undefined ? [] : [run.stopped])];
  const common = { ...base, assumptions, durationMs };
  if (reasons.length > 0) return { result: { ...common, state: 'ERROR', errors: reasons }, run };
  const assertionResults: AssertionResult[] = testCase.assertions.flatMap((assertion) =>
    checkAssertion(assertion, run),
  );
  const state = assertionResults.every(({ isSuccess }) => isSuccess) ? 'SUCCESS' : 'FAILED';
  const executionState = run.execution.state.current;
  return { result: { ...common, state, executionState, assertionResults }, run };
}

function optionsOf({
  fixtures = {},
}: TestCase): Pick<
  DryRunOptions,
  'now' | 'inputs' | 'tasks' | 'branches' | 'kv' | 'secrets' | 'files' | 'trigger' | 'labels'
> {
  const { now, inputs, tasks, branches, kv, secrets, files, trigger, labels } = fixtures;
  return {
    now: now === undefined ? defaultNow : Date.parse(now),
    inputs,
    branches,
    kv,
    secrets,
    files,
    labels,
    tasks: tasks?.map(({ id, value, outputs, state, failedAttempts }) => ({
      id,
      outputs,
      state,
      failedAttempts,
      ...(value === undefined ? {} : { value: String(value) }),
    })),
    trigger: trigger && { id: trigger.id, type: trigger.type ?? '', variables: trigger.variables ?? {} },
  };
}

/** Fixtures and assertions about tasks that the flow does not have: most likely a task was renamed. */
function unknownTasks({ fixtures, assertions }: TestCase, flow: Flow): string[] {
  const known = new Set(
    allTasks(flow).flatMap(({ id, type }) =>
      controlTypeOf(type) === 'core.flow.ForEachItem'
        ? [id, `${id}_split`, `${id}_items`, `${id}_merge`]
        : [id],
    ),
  );
  const named = [
    ...(fixtures?.tasks ?? []).map(({ id }) => ['fixture', id] as const),
    ...Object.keys(fixtures?.branches ?? {}).map((id) => ['branch', id] as const),
    ...assertions.flatMap(({ taskId, untaken }) =>
      [...(taskId === undefined ? [] : [taskId]), ...(untaken ?? [])].map((id) => ['assertion', id] as const),
    ),
  ];
  return [
    ...new Set(
      named.flatMap(([kind, id]) =>
        known.has(id) ? [] : [`The flow has no task "${id}", which a ${kind} names.`],
      ),
    ),
  ].map((text) => text.replace('a assertion', 'an assertion'));
}
