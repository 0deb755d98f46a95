import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowValidation } from '../flow.ts';
import { StoredTestSuite, TestSuiteResult } from '../flowTest.ts';
import { Paging, pagedOf } from '../paging.ts';

const ById = z.object({ namespace: z.string(), id: z.string() });

export const listTestSuites = endpoint({
  method: 'GET',
  path: '/tests/search',
  summary: 'Lists the test suites of a flow, of a namespace and those below it, or all',
  query: z.looseObject({
    ...Paging.shape,
    namespace: z.string().optional(),
    flowId: z.string().optional(),
    /** The suites as they were when this revision of the flow was the latest. */
    flowRevision: z.coerce.number().int().min(1).optional(),
  }),
  reply: pagedOf(StoredTestSuite),
});

export const getTestSuite = endpoint({
  method: 'GET',
  path: '/tests/{namespace}/{id}',
  summary: 'Reads a test suite with its source and its last result',
  params: ById,
  reply: StoredTestSuite,
});

export const createTestSuite = endpoint({
  method: 'POST',
  path: '/tests',
  summary: 'Creates a test suite from its YAML source',
  body: z.string(),
  bodyKind: 'yaml',
  reply: StoredTestSuite,
});

export const updateTestSuite = endpoint({
  method: 'PUT',
  path: '/tests/{namespace}/{id}',
  summary: 'Saves a test suite',
  params: ById,
  body: z.string(),
  bodyKind: 'yaml',
  reply: StoredTestSuite,
});

export const deleteTestSuite = endpoint({
  method: 'DELETE',
  path: '/tests/{namespace}/{id}',
  summary: 'Deletes a test suite',
  params: ById,
});

export const validateTestSuite = endpoint({
  method: 'POST',
  path: '/tests/validate',
  summary: 'Checks the source of a test suite',
  body: z.string(),
  bodyKind: 'yaml',
  reply: FlowValidation,
});

export const runTestSuite = endpoint({
  method: 'POST',
  path: '/tests/{namespace}/{id}/run',
  summary: 'Runs a test suite on the latest revision of its flow, in virtual time and without side effects',
  params: ById,
  reply: TestSuiteResult,
});

export const runTestSuites = endpoint({
  method: 'POST',
  path: '/tests/run',
  summary: 'Runs the test suites of a flow or of a namespace and those below it',
  body: z.strictObject({
    namespace: z.string().optional(),
    flowId: z.string().optional(),
    /** The source of a flow that is not saved; the suites of that flow run on it, and no result is stored. */
    source: z.string().optional(),
  }),
  reply: pagedOf(TestSuiteResult),
});

export const recordTestSuite = endpoint({
  method: 'POST',
  path: '/tests/record',
  summary: 'Writes the source of a test suite that expects what an execution did; nothing is stored',
  body: z.strictObject({ executionId: z.string() }),
  reply: z.object({ source: z.string() }),
});
