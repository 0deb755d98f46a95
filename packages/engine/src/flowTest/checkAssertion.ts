import { type AssertionResult, logLevels, type TestAssertion } from '@millrace/contract';
import type { DryRunResult } from '../dryRun/types.ts';

type Check = (actual: unknown, expected: unknown) => boolean;

const operators = {
  equalTo: (actual, expected) => isSame(actual, expected),
  notEqualTo: (actual, expected) => !isSame(actual, expected),
  greaterThan: (actual, expected) => numberOf(actual) > numberOf(expected),
  greaterThanOrEqualTo: (actual, expected) => numberOf(actual) >= numberOf(expected),
  lessThan: (actual, expected) => numberOf(actual) < numberOf(expected),
  lessThanOrEqualTo: (actual, expected) => numberOf(actual) <= numberOf(expected),
  in: (actual, expected) => Array.isArray(expected) && expected.some((item) => isSame(actual, item)),
  notIn: (actual, expected) => Array.isArray(expected) && !expected.some((item) => isSame(actual, item)),
  contains: (actual, expected) =>
    Array.isArray(actual)
      ? actual.some((item) => isSame(item, expected))
      : textOf(actual).includes(textOf(expected)),
  startsWith: (actual, expected) => textOf(actual).startsWith(textOf(expected)),
  endsWith: (actual, expected) => textOf(actual).endsWith(textOf(expected)),
  isNull: (actual, expected) => (actual === null || actual === undefined) === expected,
  isNotNull: (actual, expected) => (actual !== null && actual !== undefined) === expected,
} as const satisfies Partial<Record<keyof TestAssertion, Check>>;

export const operatorNames = Object.keys(operators) as readonly (keyof typeof operators)[];

/** Checks one assertion; it has one result for each operator that it names. */
export function checkAssertion(assertion: TestAssertion, run: DryRunResult): AssertionResult[] {
  const { taskId, description, errorMessage } = assertion;
  const about = {
    ...(taskId === undefined ? {} : { taskId }),
    ...(description === undefined ? {} : { description }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
  return [
    ...checkState(assertion, run),
    ...checkLog(assertion, run),
    ...checkUntaken(assertion, run),
    ...checkValue(assertion, run),
  ].map((result) => ({ ...result, ...about }));
}

function checkState({ state, taskId }: TestAssertion, run: DryRunResult): AssertionResult[] {
  if (state === undefined) return [];
  const runs = run.taskRuns.filter((taskRun) => taskRun.taskId === taskId);
  const states = [...new Set(runs.map((taskRun) => taskRun.state))];
  const actual =
    taskId === undefined
      ? run.execution.state.current
      : states.length > 1
        ? states
        : (states[0] ?? 'not run');
  return [{ operator: 'state', expected: state, actual, isSuccess: actual === state }];
}

function checkLog({ log, level, taskId }: TestAssertion, run: DryRunResult): AssertionResult[] {
  if (log === undefined) return [];
  const lines = run.logs.filter(
    (line) =>
      (taskId === undefined || line.taskId === taskId) &&
      (level === undefined || logLevels.indexOf(line.level) >= logLevels.indexOf(level)),
  );
  const isSuccess = lines.some(({ message }) => message.includes(log));
  const actual = lines.slice(0, 20).map(({ message }) => message.slice(0, 500));
  return [{ operator: 'log', expected: log, actual, isSuccess }];
}

function checkUntaken({ untaken }: TestAssertion, run: DryRunResult): AssertionResult[] {
  if (untaken === undefined) return [];
  const ran = new Set(run.taskRuns.filter(({ state }) => state !== 'SKIPPED').map(({ taskId }) => taskId));
  const taken = untaken.filter((id) => ran.has(id));
  const actual = untaken.filter((id) => !ran.has(id));
  return [{ operator: 'untaken', expected: untaken, actual, isSuccess: taken.length === 0 }];
}

function checkValue(assertion: TestAssertion, run: DryRunResult): AssertionResult[] {
  const used = operatorNames.filter((name) => assertion[name] !== undefined);
  if (used.length === 0) return [];
  let actual: unknown;
  try {
    actual =
      typeof assertion.value === 'string' ? run.evaluate(assertion.value, assertion.taskId) : assertion.value;
  } catch (error) {
    const isMissing = error instanceof Error && error.name === 'MissingError';
    const reason = error instanceof Error ? error.message : String(error);
    // A value that does not exist is null to `isNull`; every other operator needs a value.
    return used.map((operator) => ({
      operator,
      expected: assertion[operator],
      actual: isMissing && operator.startsWith('is') ? null : reason,
      isSuccess:
        isMissing && operator.startsWith('is') ? operators[operator](null, assertion[operator]) : false,
    }));
  }
  return used.map((operator) => {
    const expected = assertion[operator];
    return { operator, expected, actual, isSuccess: operators[operator](actual, expected) };
  });
}

/** Expressions give text where YAML gives a number or a boolean, so those compare as text. */
function isSame(actual: unknown, expected: unknown): boolean {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  if (isPlain(actual) && isPlain(expected)) return String(actual) === String(expected);
  return stable(actual) === stable(expected);
}

/** JSON with its keys in order. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const numberOf = (value: unknown): number =>
  typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
