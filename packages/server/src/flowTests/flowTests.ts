import {
  AppError,
  type FlowTestRecord,
  type StoredTestSuite,
  type TestSuite,
  TestSuiteResult,
} from '@millrace/contract';
import { readTestSuite } from '@millrace/engine/flow-test';
import { Conflict, type Store, type StoredFlowTest } from '@millrace/store';
import { findFlow } from '../actions/findFlow.ts';
import type { FlowCache } from '../actions/flowCache.ts';
import { refuseProblems } from '../dashboards/problem.ts';
import { unreadable } from '../unreadableRow.ts';

interface Parts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly clock: () => number;
}

export async function createTestSuite(source: string, parts: Parts): Promise<StoredTestSuite> {
  const suite = fitSuite(source);
  const before = await parts.store.getFlowTest(suite.namespace, suite.id);
  if (before && !before.test.deleted) throw exists(suite);
  try {
    return await insert(suite, source, before?.test.version ?? 0, parts);
  } catch (error) {
    if (error instanceof Conflict) throw exists(suite);
    throw error;
  }
}

export async function updateTestSuite(
  key: { readonly namespace: string; readonly id: string },
  source: string,
  parts: Parts,
): Promise<StoredTestSuite> {
  const before = await findStored(key.namespace, key.id, parts);
  const suite = fitSuite(source);
  for (const name of ['namespace', 'id'] as const) {
    if (suite[name] === key[name]) continue;
    const message = `"${suite[name]}" is not the ${name} "${key[name]}" of this test suite`;
    throw new AppError('invalid-entity', `${name}: ${message}`, { errors: [{ path: name, message }] });
  }
  if (before.test.source === source) return presentTestSuite(before);
  return await insert(suite, source, before.test.version, parts);
}

/** Creates the suite, or saves it as the next version. */
export async function importTestSuite(source: string, parts: Parts): Promise<void> {
  const suite = fitSuite(source);
  const before = await parts.store.getFlowTest(suite.namespace, suite.id);
  if (before && !before.test.deleted) await updateTestSuite(suite, source, parts);
  else await createTestSuite(source, parts);
}

/** Every suite of these flows, as files beside those of the flows. */
export async function testFilesOf(
  flows: readonly { readonly namespace: string; readonly id: string }[],
  { store }: Pick<Parts, 'store'>,
): Promise<{ path: string; content: string }[]> {
  const wanted = new Set(flows.map(({ namespace, id }) => `${namespace}/${id}`));
  const found: { path: string; content: string }[] = [];
  for (let page = 1; ; page++) {
    const { results } = await store.listFlowTests({ page, size: pageSize, sort: [] });
    for (const { test } of results)
      if (wanted.has(`${test.namespace}/${test.flowId}`))
        found.push({ path: `${test.namespace}-${test.id}.test.yml`, content: test.source });
    if (results.length < pageSize) return found;
  }
}

const pageSize = 500;

export async function deleteTestSuite(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  parts: Parts,
): Promise<void> {
  const { test } = await findStored(namespace, id, parts);
  const { problem: _, ...record } = test;
  const version = record.version + 1;
  await parts.store.commit([
    { op: 'flowTest.insert', test: { ...record, version, deleted: true, updatedAt: parts.clock() } },
  ]);
}

/** A suite that exists and can be read. */
export async function findTestSuite(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  parts: Pick<Parts, 'store'>,
): Promise<StoredFlowTest> {
  const stored = await findStored(namespace, id, parts);
  if (stored.test.problem !== undefined)
    throw new AppError('illegal-state', unreadable('test suite', id, stored.test.problem));
  return stored;
}

export function presentTestSuite({ test, result }: StoredFlowTest): StoredTestSuite {
  const { id, namespace, flowId, description, disabled, testCaseIds, source, flowRevision, version } = test;
  // A result of an earlier release may have another shape; it is then ignored.
  const last = TestSuiteResult.safeParse(result);
  return {
    id,
    namespace,
    flowId,
    ...(description === undefined ? {} : { description }),
    disabled,
    testCaseIds: [...testCaseIds],
    source,
    flowRevision,
    version,
    updated: new Date(test.updatedAt).toISOString(),
    ...(last.success ? { lastResult: last.data } : {}),
  };
}

export function fitSuite(source: string): TestSuite {
  const { suite, issues } = readTestSuite(source);
  refuseProblems(issues.map(({ path, message }) => ({ path, message })));
  if (!suite) throw new AppError('invalid-entity', 'the text is not a test suite');
  return suite;
}

async function insert(
  suite: TestSuite,
  source: string,
  versionBefore: number,
  parts: Parts,
): Promise<StoredTestSuite> {
  const { namespace, id, flowId, description } = suite;
  const { record } = await findFlow(parts, { namespace, id: flowId });
  const test: FlowTestRecord = {
    namespace,
    id,
    version: versionBefore + 1,
    flowId,
    flowRevision: record.revision,
    source,
    ...(description === undefined ? {} : { description }),
    disabled: suite.disabled ?? false,
    testCaseIds: suite.testCases.map((testCase) => testCase.id),
    deleted: false,
    updatedAt: parts.clock(),
  };
  await parts.store.commit([{ op: 'flowTest.insert', test }]);
  return presentTestSuite({ test });
}

async function findStored(
  namespace: string,
  id: string,
  { store }: Pick<Parts, 'store'>,
): Promise<StoredFlowTest> {
  const stored = await store.getFlowTest(namespace, id);
  if (!stored || stored.test.deleted)
    throw new AppError('not-found', `there is no test suite "${id}" in the namespace "${namespace}"`);
  return stored;
}

function exists({ namespace, id }: TestSuite): AppError {
  const message = `there is a test suite "${id}" in the namespace "${namespace}" already`;
  return new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
}
