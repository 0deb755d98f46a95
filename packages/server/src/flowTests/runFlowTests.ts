import { setImmediate as yieldToEvents } from 'node:timers/promises';
import {
  AppError,
  type Flow,
  type Output,
  type TestCaseResult,
  type TestSuite,
  type TestSuiteResult,
} from '@millrace/contract';
import { allTasks, applyDefaults, controlTypeOf, describeErrors, parseFlow } from '@millrace/engine';
import { runTestSuite, type SuiteOutcome, type TestSurroundings, worst } from '@millrace/engine/flow-test';
import { taskTypesOf } from '@millrace/plugin-kit';
import type { StoredFlowTest } from '@millrace/store';
import type { Product } from '../product.ts';
import { fitSuite } from './flowTests.ts';

type Parts = Pick<Product, 'store' | 'catalogue' | 'flows' | 'clock'>;

const maxSuites = 500;
/** All suites of one request together; a client does not wait longer. */
const maxTotalMs = 60_000;

/** Runs one suite on the latest revision of its flow and stores the result. */
export async function runStoredSuite(stored: StoredFlowTest, parts: Parts): Promise<TestSuiteResult> {
  const { namespace, id, flowId, version } = stored.test;
  const found = await parts.flows.find(namespace, flowId);
  const flow = found && !found.record.deleted && found.problem === undefined ? found.runnable : undefined;
  const reason =
    found && !found.record.deleted
      ? `The flow cannot be run: ${found.problem}`
      : `There is no flow "${flowId}" in the namespace "${namespace}".`;
  const result = await runOn(fitSuite(stored.test.source), flow ?? reason, parts);
  await parts.store.commit([{ op: 'flowTest.result', namespace, id, version, result }]);
  return result;
}

export interface TestScope {
  readonly namespace?: string | undefined;
  readonly flowId?: string | undefined;
  /** The source of a flow that is not saved; its suites run on it, and no result is stored. */
  readonly source?: string | undefined;
}

/** Runs the suites of a flow or of a namespace, one after the other. */
export async function runSuites(scope: TestScope, parts: Parts): Promise<TestSuiteResult[]> {
  const unsaved = scope.source === undefined ? undefined : readUnsaved(scope.source, parts);
  const { results: suites, total } = await parts.store.listFlowTests({
    page: 1,
    size: maxSuites,
    sort: [],
    ...(unsaved
      ? { namespace: unsaved.namespace, flowId: unsaved.id }
      : {
          ...(scope.namespace === undefined ? {} : { namespace: scope.namespace, isPrefix: !scope.flowId }),
          ...(scope.flowId === undefined ? {} : { flowId: scope.flowId }),
        }),
  });
  if (total > maxSuites)
    throw new AppError(
      'illegal-argument',
      `${total} test suites match; at most ${maxSuites} run in one request. Choose a namespace or a flow.`,
    );
  const until = parts.clock() + maxTotalMs;
  const results: TestSuiteResult[] = [];
  for (const stored of suites) {
    if (stored.test.problem !== undefined || stored.test.disabled) continue;
    if (parts.clock() > until)
      throw new AppError(
        'illegal-state',
        `the tests did not end within ${maxTotalMs / 1000} s; run them by namespace or by flow`,
      );
    results.push(
      unsaved
        ? await runOn(fitSuite(stored.test.source), unsaved.flow, parts)
        : await runStoredSuite(stored, parts),
    );
  }
  return results;
}

function readUnsaved(
  source: string,
  { catalogue }: Parts,
): { namespace: string; id: string; flow: Flow | string } {
  const { flow, issues } = parseFlow(source, catalogue);
  if (!flow) throw new AppError('invalid-entity', describeErrors(issues) ?? 'the source is not a flow');
  const problem = describeErrors(issues);
  const { namespace, id } = flow;
  if (problem !== undefined) return { namespace, id, flow: `The flow cannot be run: ${problem}` };
  return { namespace, id, flow: applyDefaults(flow, { catalogue }) };
}

async function runOn(suite: TestSuite, flow: Flow | string, parts: Parts): Promise<TestSuiteResult> {
  const { namespace, id, flowId } = suite;
  const startedAt = parts.clock();
  const outcome =
    typeof flow === 'string'
      ? refused(suite, flow)
      : await runTestSuite(suite, flow, await surroundingsOf(flow, parts));
  return {
    id,
    namespace,
    flowId,
    flowRevision: typeof flow === 'string' ? 0 : flow.revision,
    state: outcome.state,
    startDate: new Date(startedAt).toISOString(),
    endDate: new Date(parts.clock()).toISOString(),
    results: [...outcome.results],
    coverage: [...outcome.coverage],
  };
}

function refused({ testCases }: TestSuite, reason: string): SuiteOutcome {
  const results = testCases.map(
    ({ id }): TestCaseResult => ({
      testId: id,
      state: 'ERROR',
      assertionResults: [],
      errors: [reason],
      assumptions: [],
      durationMs: 0,
    }),
  );
  return { state: worst(results.map(({ state }) => state)), results, coverage: [] };
}

/** The facts that dry runs of this flow need; the outputs of its subflows are read before. */
export async function surroundingsOf(flow: Flow, parts: Parts): Promise<TestSurroundings> {
  const declared = new Map<string, readonly Output[]>();
  for (const [namespace, id] of subflowsOf(flow)) {
    const found = await parts.flows.find(namespace, id);
    if (found && !found.record.deleted) declared.set(`${namespace}/${id}`, found.flow.outputs ?? []);
  }
  return {
    types: taskTypesOf(parts.catalogue),
    clock: () => performance.now(),
    pause: async () => {
      await yieldToEvents();
    },
    subflowOutputs: (namespace, id) => declared.get(`${namespace}/${id}`),
  };
}

/** The flows that this one names as subflows, without expressions. */
function subflowsOf(flow: Flow): [namespace: string, id: string][] {
  return allTasks(flow).flatMap(({ type, namespace, flowId }) =>
    controlTypeOf(type) === 'core.flow.Subflow' && typeof namespace === 'string' && typeof flowId === 'string'
      ? [[namespace, flowId] as [string, string]]
      : [],
  );
}
