import type {
  ExecutionRecord,
  Flow,
  TaskRunRecord,
  TestAssertion,
  TestCase,
  TestFixtures,
  TestSuite,
  TestTaskFixture,
} from '@millrace/contract';
import { systemLabelPrefix } from '@millrace/contract';
import { stringify } from 'yaml';
import { computeOf } from '../dryRun/compute.ts';
import { allTasks, findTask } from '../flow/children.ts';
import { controlTypeOf } from '../flow/controlType.ts';
import { shortType } from '../flow/typeName.ts';
import { hiddenText, hideSealed } from '../inputs/sealed.ts';
import { isoDate } from '../run/isoDate.ts';
import { runTestSuite, type TestSurroundings } from './runTestSuite.ts';

export interface RecordedExecution {
  readonly flow: Flow;
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
  readonly logs: readonly { readonly taskId?: string; readonly message: string }[];
}

const maxFixtures = 300;
const maxTextCharacters = 5_000;
const maxStates = 60;
const maxValues = 40;
const recordedStates = { WARNING: 'WARNING', FAILED: 'FAILED', KILLED: 'KILLED' } as const;
const stages = /_(split|items|merge)$/;

/**
 * A test suite that expects what an execution did: its inputs and the outputs of its tasks become fixtures, its states,
 * values and log lines become assertions. Secrets are left out. Values that a dry run does not reproduce, such as ids and
 * dates, are not asserted.
 */
export async function recordTestSuite(
  recorded: RecordedExecution,
  surroundings: TestSurroundings,
): Promise<TestSuite> {
  const { flow, execution } = recorded;
  const states = stateAssertions(recorded);
  const candidates = [...valueAssertions(recorded), ...logAssertions(recorded)];
  const suiteWith = (assertions: TestAssertion[]): TestSuite => {
    const testCase: TestCase = {
      id: caseId(execution),
      fixtures: fixturesOf(recorded, surroundings),
      assertions,
    };
    return { id: `${flow.id}_test`, namespace: flow.namespace, flowId: flow.id, testCases: [testCase] };
  };
  const tried = await runTestSuite(
    suiteWith(candidates.length > 0 ? candidates : states),
    flow,
    surroundings,
  );
  const passed = tried.results[0]?.assertionResults ?? [];
  const kept = candidates.filter((_, index) => passed[index]?.isSuccess === true);
  return suiteWith([...states, ...kept]);
}

export const writeTestSuite = (suite: TestSuite): string => stringify(suite, { lineWidth: 0 });

const caseId = ({ state }: ExecutionRecord): string => `ends_in_${state.current.toLowerCase()}`;

function fixturesOf(recorded: RecordedExecution, surroundings: TestSurroundings): TestFixtures {
  const { flow, execution } = recorded;
  const labels = execution.labels.filter(
    ({ key, value }) =>
      !key.startsWith(systemLabelPrefix) &&
      !flow.labels?.some((own) => own.key === key && own.value === value),
  );
  const tasks = taskFixtures(recorded, surroundings);
  const { trigger } = execution;
  return {
    now: isoDate(execution.state.histories[0]?.date ?? 0),
    ...(execution.inputs ? { inputs: withoutSecrets(execution.inputs) } : {}),
    ...(labels.length > 0
      ? { labels: Object.fromEntries(labels.map(({ key, value }) => [key, value])) }
      : {}),
    ...(trigger
      ? {
          trigger: {
            id: trigger.id,
            type: trigger.type,
            ...(trigger.variables ? { variables: withoutSecrets(trigger.variables) } : {}),
          },
        }
      : {}),
    ...(tasks.length > 0 ? { tasks } : {}),
  };
}

/** The results of tasks that a dry run cannot compute. */
function taskFixtures({ flow, taskRuns }: RecordedExecution, { types }: TestSurroundings): TestTaskFixture[] {
  const needed = taskRuns.filter((run) => {
    const task = findTask(flow, run.taskId);
    if (!task) return stages.test(run.taskId) && run.dynamic !== true;
    const control = controlTypeOf(task.type);
    if (control === 'core.flow.Subflow') return true;
    if (control === 'core.flow.Pause') return run.outputs !== undefined || run.state.current === 'FAILED';
    if (control === 'core.flow.WorkingDirectory') return run.outputs !== undefined;
    if (control) return false;
    return computeOf(types.find(task.type)?.type ?? shortType(task.type)) === undefined;
  });
  return needed.slice(0, maxFixtures).flatMap((run) => {
    const { taskId: id, value, outputs, state } = run;
    const isFailure = (name: string): name is keyof typeof recordedStates =>
      Object.hasOwn(recordedStates, name);
    // A failure that the flow tolerates shows only in the attempts.
    const ended = run.attempts.at(-1)?.state.current ?? state.current;
    if (state.current === 'SKIPPED' || state.current === 'CANCELLED') return [];
    const failedAttempts = run.attempts.slice(0, -1).filter((attempt) => attempt.state.current === 'FAILED');
    return {
      id,
      ...(value === undefined ? {} : { value }),
      ...(isFailure(ended) ? { state: recordedStates[ended] } : {}),
      ...(failedAttempts.length > 0 && !isFailure(ended) ? { failedAttempts: failedAttempts.length } : {}),
      ...(outputs ? { outputs: withoutSecrets(outputs) } : {}),
    };
  });
}

function stateAssertions({ flow, execution, taskRuns }: RecordedExecution): TestAssertion[] {
  const byTask = new Map<string, Set<string>>();
  for (const { taskId, state } of taskRuns) {
    if (!findTask(flow, taskId)) continue;
    const states = byTask.get(taskId) ?? new Set();
    byTask.set(taskId, states.add(state.current));
  }
  const untaken = allTasks(flow)
    .filter(({ id, disabled }) => disabled !== true && !byTask.has(id))
    .map(({ id }) => id);
  return [
    { state: execution.state.current },
    ...taskRuns
      .filter(({ taskId }, index) => taskRuns.findIndex((run) => run.taskId === taskId) === index)
      .filter(({ taskId }) => byTask.get(taskId)?.size === 1)
      .slice(0, maxStates)
      .map(({ taskId, state }) => ({ taskId, state: state.current })),
    ...(untaken.length > 0 ? [{ untaken }] : []),
  ];
}

const member = (of: string, name: string): string =>
  /^[a-zA-Z_]\w*$/.test(name) ? `${of}.${name}` : `${of}['${name}']`;

/** Texts and numbers that the flow computed. */
function valueAssertions({ flow, execution, taskRuns }: RecordedExecution): TestAssertion[] {
  const isShort = (value: unknown): boolean =>
    (typeof value === 'string' && value.length <= 500 && !value.includes(hiddenText)) ||
    typeof value === 'number' ||
    typeof value === 'boolean';
  const computed = taskRuns.flatMap(({ taskId, value, outputs }) => {
    const task = findTask(flow, taskId);
    const isReturn = task && shortType(task.type) === 'core.debug.Return' && value === undefined;
    const isUnique = taskRuns.filter((run) => run.taskId === taskId).length === 1;
    return isReturn && isUnique && isShort(outputs?.value)
      ? [{ value: `{{ ${member('outputs', taskId)}.value }}`, equalTo: outputs?.value }]
      : [];
  });
  const own = Object.entries(hideSealed(execution.outputs ?? {})).flatMap(([id, value]) =>
    isShort(value) ? [{ value: `{{ ${member('execution.outputs', id)} }}`, equalTo: value }] : [],
  );
  return [...computed, ...own].slice(0, maxValues);
}

function logAssertions({ flow, logs }: RecordedExecution): TestAssertion[] {
  const isLog = (taskId: string | undefined): taskId is string => {
    const task = taskId === undefined ? undefined : findTask(flow, taskId);
    return task !== undefined && shortType(task.type) === 'core.log.Log';
  };
  return logs
    .flatMap(({ taskId, message }) =>
      isLog(taskId) && message !== '' && message.length <= 500 && !message.includes('**masked')
        ? [{ taskId, log: message }]
        : [],
    )
    .slice(0, maxValues);
}

/** The values without encrypted texts, and with very long texts cut. */
function withoutSecrets(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cut(hideSealed(values)) as Record<string, unknown>; // A map stays a map.
}

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > maxTextCharacters ? `${value.slice(0, maxTextCharacters)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 1_000).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]));
}
