import { z } from 'zod';
import { LogLevel } from './log.ts';
import { StateType } from './state.ts';

const Id = z
  .string()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/,
    'must start with a letter or digit and hold only letters, digits, ".", "_" and "-"',
  )
  .max(100);
const Values = z.record(z.string(), z.unknown());

/** The result that a task has in a test instead of running. */
export const TestTaskFixture = z.strictObject({
  id: z.string(),
  description: z.string().optional(),
  /** Only for the run with this loop value. */
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  outputs: Values.optional(),
  state: z.enum(['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'SKIPPED']).optional(),
  /** How many attempts fail before the one with this result, for tasks with a retry. */
  failedAttempts: z.number().int().min(1).max(1_000).optional(),
});
export type TestTaskFixture = z.infer<typeof TestTaskFixture>;

export const TestFixtures = z.strictObject({
  inputs: Values.optional(),
  /** Contents by the name of a FILE input, the path of a namespace file or a URI. */
  files: z.record(z.string(), z.string()).optional(),
  tasks: z.array(TestTaskFixture).optional(),
  trigger: z
    .strictObject({ id: z.string(), type: z.string().optional(), variables: Values.optional() })
    .optional(),
  labels: z.record(z.string(), z.string()).optional(),
  kv: Values.optional(),
  secrets: z.record(z.string(), z.string()).optional(),
  /** The time at which the execution starts. */
  now: z.iso.datetime({ offset: true }).optional(),
  /** The branch that a task takes: `then`, `else`, the key of a case, `defaults`, `run` or `skip`. */
  branches: z.record(z.string(), z.string()).optional(),
});
export type TestFixtures = z.infer<typeof TestFixtures>;

/** A check of the finished execution. `value` with an operator, a `state`, a `log` line or `untaken` tasks. */
export const TestAssertion = z.strictObject({
  description: z.string().optional(),
  errorMessage: z.string().optional(),
  /** The task whose state, log or context is checked; without it the whole execution. */
  taskId: z.string().optional(),
  value: z.unknown().optional(),
  equalTo: z.unknown().optional(),
  notEqualTo: z.unknown().optional(),
  greaterThan: z.number().optional(),
  greaterThanOrEqualTo: z.number().optional(),
  lessThan: z.number().optional(),
  lessThanOrEqualTo: z.number().optional(),
  in: z.array(z.unknown()).optional(),
  notIn: z.array(z.unknown()).optional(),
  contains: z.unknown().optional(),
  startsWith: z.string().optional(),
  endsWith: z.string().optional(),
  isNull: z.boolean().optional(),
  isNotNull: z.boolean().optional(),
  state: StateType.optional(),
  /** A text that a log line contains. */
  log: z.string().optional(),
  level: LogLevel.optional(),
  /** Tasks that must not run. */
  untaken: z.array(z.string()).optional(),
});
export type TestAssertion = z.infer<typeof TestAssertion>;

export const TestCase = z.strictObject({
  id: Id,
  type: z.string().optional(),
  description: z.string().optional(),
  disabled: z.boolean().optional(),
  fixtures: TestFixtures.optional(),
  assertions: z.array(TestAssertion).min(1),
});
export type TestCase = z.infer<typeof TestCase>;

/** Tests of one flow, written as YAML and stored beside it. */
export const TestSuite = z.strictObject({
  id: Id,
  namespace: z.string().min(1),
  flowId: z.string().min(1),
  description: z.string().optional(),
  disabled: z.boolean().optional(),
  testCases: z.array(TestCase).min(1).max(500),
});
export type TestSuite = z.infer<typeof TestSuite>;

export const TestState = z.enum(['SUCCESS', 'FAILED', 'ERROR', 'SKIPPED']);
export type TestState = z.infer<typeof TestState>;

export const AssertionResult = z.object({
  operator: z.string(),
  expected: z.unknown(),
  actual: z.unknown(),
  isSuccess: z.boolean(),
  taskId: z.string().optional(),
  description: z.string().optional(),
  errorMessage: z.string().optional(),
});
export type AssertionResult = z.infer<typeof AssertionResult>;

export const TestCaseResult = z.object({
  testId: z.string(),
  state: TestState,
  /** The state of the execution, when there was one. */
  executionState: StateType.optional(),
  assertionResults: z.array(AssertionResult),
  /** Why the case could not run. */
  errors: z.array(z.string()),
  /** Values of the outside that the case used without a fixture. */
  assumptions: z.array(z.string()),
  durationMs: z.number(),
});
export type TestCaseResult = z.infer<typeof TestCaseResult>;

/** A branch of a task that an execution can take, or the task itself. */
export const TestedBranch = z.object({
  /** Empty for the tasks that run when the flow itself fails. */
  taskId: z.string(),
  /**
   * `task` is the task itself. Its branches: `then`, `else`, `cases.<key>`, `defaults`, `run` and `skip` of a condition,
   * `loop` and `empty` of a loop over values or batches, `repeat` and `done` of a LoopUntil, `errors`.
   */
  branch: z.string(),
  isCovered: z.boolean(),
});
export type TestedBranch = z.infer<typeof TestedBranch>;

export const TestSuiteResult = z.object({
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  flowRevision: z.number().int(),
  state: TestState,
  startDate: z.string(),
  endDate: z.string(),
  results: z.array(TestCaseResult),
  coverage: z.array(TestedBranch),
});
export type TestSuiteResult = z.infer<typeof TestSuiteResult>;

/** A stored test suite. */
export const StoredTestSuite = z.object({
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  description: z.string().optional(),
  disabled: z.boolean(),
  testCaseIds: z.array(z.string()),
  source: z.string(),
  /** The revision of the flow when this version of the suite was saved. */
  flowRevision: z.number().int(),
  version: z.number().int(),
  updated: z.string(),
  lastResult: TestSuiteResult.optional(),
});
export type StoredTestSuite = z.infer<typeof StoredTestSuite>;
