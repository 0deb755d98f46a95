import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { runTest, runTests } from './runTests.ts';

const failedCase = {
  testId: 'wrong',
  state: 'FAILED',
  errors: [],
  assertionResults: [{ operator: 'equalTo', expected: 1, actual: 2, isSuccess: false }],
};
const suite = (id: string, ...results: object[]) => ({
  id,
  namespace: 'company.team',
  state: results.includes(failedCase) ? 'FAILED' : 'SUCCESS',
  results,
});
const fine = { testId: 'fine', state: 'SUCCESS', errors: [], assertionResults: [] };

/** A server with the suites `good`, `bad`, `below` (in a child namespace) and `off` (disabled). */
function aServer() {
  const paths: string[] = [];
  const replies: Readonly<Record<string, unknown>> = {
    '/tests/search': {
      results: [
        { id: 'good', namespace: 'company.team', disabled: false },
        { id: 'bad', namespace: 'company.team', disabled: false },
        { id: 'below', namespace: 'company.team.child', disabled: false },
        { id: 'off', namespace: 'company.team', disabled: true },
      ],
    },
    '/tests/company.team/good/run': suite('good', fine),
    '/tests/company.team/bad/run': suite('bad', fine, failedCase),
    '/tests/company.team.child/below/run': suite('below', fine),
  };
  const context = aTaskContext({
    fetch: async ({ url }) => {
      const path = new URL(url).pathname.replace('/api/v1/main', '');
      paths.push(path);
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(replies[path]));
      })();
      return { status: 200, url, headers: {}, body };
    },
  });
  return { context, paths };
}

test('a test suite runs, and a failed test is a warning, a failure, or not chosen', async () => {
  const { context } = aServer();
  const input = { namespace: 'company.team', testId: 'bad' };
  expect(await runType(runTest, input, context)).toMatchObject({
    result: { state: 'FAILED' },
    taskStateOverride: 'WARNING',
  });
  expect(context.logs).toEqual([
    { level: 'ERROR', message: 'Test "wrong" of "bad" failed: expected equalTo 1, got 2' },
  ]);
  const failing = runType(runTest, { ...input, failOnTestFailure: true }, context);
  await expect(failing).rejects.toMatchObject({
    message: '1 of 1 test suites failed.',
    outputs: { taskStateOverride: 'FAILED' },
  });
  expect(await runType(runTest, { ...input, testCases: ['fine'] }, context)).toMatchObject({
    result: { state: 'SUCCESS', results: [{ testId: 'fine' }] },
  });
  const unknown = runType(runTest, { ...input, testCases: ['nothing'] }, context);
  await expect(unknown).rejects.toThrow('The test suite "bad" has no test case "nothing".');
});

test('the suites of a namespace are counted, with or without those below it', async () => {
  const { context, paths } = aServer();
  const input = { namespace: 'company.team' };
  expect(await runType(runTests, input, context)).toMatchObject({
    testSuitesRunSuccessCount: 2,
    testSuitesRunSkippedCount: 1,
    testSuitesRunFailedCount: 1,
    taskStateOverride: 'WARNING',
  });
  expect(paths).toContain('/tests/company.team.child/below/run');
  const alone = await runType(runTests, { ...input, includeChildNamespaces: false }, context);
  expect(alone.testSuitesRunSuccessCount).toBe(1);
});
