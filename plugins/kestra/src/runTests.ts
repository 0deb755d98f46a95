import type { AssertionResult, TestSuiteResult } from '@millrace/contract';
import {
  defineTask,
  flag,
  listOf,
  type TaskContext,
  TaskFailed,
  text,
  type Warning,
  warning,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { Api, serverProperties } from './api.ts';

const failOnTestFailure = () =>
  flag().default(false).describe('Fail when a test fails; otherwise the task ends with a warning.');

const taskStateOverride = () =>
  z.string().optional().describe('The state of the task when a test failed: `FAILED` or `WARNING`.');

export const runTest = defineTask({
  type: 'kestra.ee.tests.RunTest',
  title: 'Run a test suite',
  description:
    'Runs the test suite of a flow in virtual time, without side effects. The task ends with a warning when a test fails, or fails with `failOnTestFailure`.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().describe('The namespace of the test suite.'),
      testId: text().describe('The id of the test suite.'),
      testCases: listOf(text()).optional().describe('The ids of the test cases that count; all when absent.'),
      failOnTestFailure: failOnTestFailure(),
    }),
  output: () =>
    z.object({
      result: z.unknown().describe('The state of the suite, and of each of its cases with its assertions.'),
      taskStateOverride: taskStateOverride(),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Run a test suite every night.',
      runs: false,
      code: `id: nightly_test
namespace: company.team

tasks:
  - id: test
    type: kestra.ee.tests.RunTest
    namespace: company.team
    testId: orders_test
    failOnTestFailure: true

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 3 * * *"
`,
    },
  ],
  async run(context, input) {
    const result = await runSuite(new Api(context, input), input.namespace, input.testId);
    const chosen = input.testCases ? onlyCases(result, input.testCases) : result;
    return endOf(context, { result: chosen }, [chosen], input.failOnTestFailure);
  },
});

export const runTests = defineTask({
  type: 'kestra.ee.tests.RunTests',
  title: 'Run test suites',
  description:
    'Runs the test suites of a flow, of a namespace, or all of them, in virtual time, without side effects. Disabled suites are skipped. The task ends with a warning when a test fails, or fails with `failOnTestFailure`.',
  input: () =>
    z.object({
      ...serverProperties(),
      namespace: text().optional().describe('The namespace; all when absent.'),
      includeChildNamespaces: flag().default(true).describe('Also run the suites of the namespaces below.'),
      flowId: text().optional().describe('Only the suites of this flow.'),
      failOnTestFailure: failOnTestFailure(),
    }),
  output: () =>
    z.object({
      result: z.unknown().describe('The results of the suites, in the list `results`.'),
      testSuitesRunSuccessCount: z.number().describe('How many suites succeeded.'),
      testSuitesRunSkippedCount: z
        .number()
        .describe('How many suites were skipped because they are disabled.'),
      testSuitesRunFailedCount: z.number().describe('How many suites failed.'),
      taskStateOverride: taskStateOverride(),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Run all test suites of a team.',
      runs: false,
      code: `id: all_tests
namespace: company.team

tasks:
  - id: test
    type: kestra.ee.tests.RunTests
    namespace: company.team
    failOnTestFailure: true
`,
    },
  ],
  async run(context, input) {
    const api = new Api(context, input);
    const results: TestSuiteResult[] = [];
    let skipped = 0;
    const { namespace, flowId } = input;
    for await (const suite of api.pages<StoredSuite>('/tests/search', { namespace, flowId })) {
      if (namespace !== undefined && !input.includeChildNamespaces && suite.namespace !== namespace) continue;
      if (suite.disabled) skipped++;
      else results.push(await runSuite(api, suite.namespace, suite.id));
    }
    const count = (...states: readonly string[]) =>
      results.filter(({ state }) => states.includes(state)).length;
    const outputs = {
      result: { results },
      testSuitesRunSuccessCount: count('SUCCESS'),
      testSuitesRunSkippedCount: skipped + count('SKIPPED'),
      testSuitesRunFailedCount: count('FAILED', 'ERROR'),
    };
    return endOf(context, outputs, results, input.failOnTestFailure);
  },
});

interface StoredSuite {
  readonly id: string;
  readonly namespace: string;
  readonly disabled: boolean;
}

const runSuite = (api: Api, namespace: string, id: string): Promise<TestSuiteResult> =>
  api.json<TestSuiteResult>(`/tests/${encodeURIComponent(namespace)}/${encodeURIComponent(id)}/run`, {
    method: 'POST',
  });

const isFailed = ({ state }: { readonly state: string }): boolean => state === 'FAILED' || state === 'ERROR';

/** The result as if the suite had only these cases. */
function onlyCases(suite: TestSuiteResult, ids: readonly string[]): TestSuiteResult {
  const unknown = ids.filter((id) => suite.results.every(({ testId }) => testId !== id));
  if (unknown.length > 0)
    throw new TaskFailed(`The test suite "${suite.id}" has no test case "${unknown.join('", "')}".`, {
      retry: false,
    });
  const results = suite.results.filter(({ testId }) => ids.includes(testId));
  // A suite that could not run has no case to choose.
  return {
    ...suite,
    results,
    state: results.find(isFailed)?.state ?? (results.length > 0 ? 'SUCCESS' : suite.state),
  };
}

async function endOf<T extends Readonly<Record<string, unknown>>>(
  context: TaskContext,
  outputs: T,
  suites: readonly TestSuiteResult[],
  failOnFailure: boolean,
): Promise<(T & { readonly taskStateOverride?: string }) | Warning> {
  const failed = suites.filter(isFailed);
  for (const suite of failed)
    for (const { testId, errors, assertionResults } of suite.results.filter(isFailed)) {
      const reasons = [...errors, ...assertionResults.filter(({ isSuccess }) => !isSuccess).map(describe)];
      await context.log('ERROR', `Test "${testId}" of "${suite.id}" failed: ${reasons.join('; ')}`);
    }
  if (failed.length === 0) return outputs;
  if (!failOnFailure) return warning({ ...outputs, taskStateOverride: 'WARNING' });
  throw new TaskFailed(`${failed.length} of ${suites.length} test suites failed.`, {
    retry: false,
    outputs: { ...outputs, taskStateOverride: 'FAILED' },
  });
}

function describe({ operator, expected, actual, description, errorMessage }: AssertionResult): string {
  const text =
    errorMessage ?? `expected ${operator} ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
  return description === undefined ? text : `${description} (${text})`;
}
