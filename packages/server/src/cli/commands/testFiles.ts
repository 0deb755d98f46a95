import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Flow, TestSuite, TestSuiteResult } from '@millrace/contract';
import { applyDefaults, describeErrors, parseFlow } from '@millrace/engine';
import {
  countCoverage,
  describeFailure,
  mergeCoverage,
  readTestSuite,
  runTestSuite,
  type TestSurroundings,
  toJunit,
  worst,
} from '@millrace/engine/flow-test';
import { type PluginCatalogue, taskTypesOf } from '@millrace/plugin-kit';
import { openProductCatalogue } from '../../plugins/productFamilies.ts';
import { printable } from '../client/print.ts';
import { readFlowSources, readTestSources } from '../client/sourceFiles.ts';
import { CommandFailure, type ExitCode, exitCodes, type Surroundings } from '../command.ts';

/** Runs the test suites of these paths on the flows of the same paths, without a server. */
export async function runTestFiles(
  paths: readonly string[],
  junitFile: string | undefined,
  { out }: Surroundings,
): Promise<ExitCode> {
  const catalogue = await openProductCatalogue();
  const flows = await readFlows(paths, catalogue);
  const suites = (await readTestSources(paths)).map(({ origin, text }) => readSuite(origin, text));
  const surroundings = surroundingsOf(flows, catalogue);
  const results: TestSuiteResult[] = [];
  for (const suite of suites) {
    const result = await runOn(suite, flows.get(`${suite.namespace}.${suite.flowId}`), surroundings);
    results.push(result);
    for (const line of linesOf(result)) out.write(`${line}\n`);
  }
  if (junitFile !== undefined) {
    await mkdir(dirname(junitFile), { recursive: true });
    await writeFile(junitFile, toJunit(results));
  }
  const cases = results.flatMap((result) => result.results);
  const failed = cases.filter(({ state }) => state === 'FAILED' || state === 'ERROR').length;
  out.write(
    `\n${cases.length} test${cases.length === 1 ? '' : 's'}, ${failed} failed${coverageText(results)}\n`,
  );
  return failed === 0 ? exitCodes.done : exitCodes.failed;
}

async function readFlows(
  paths: readonly string[],
  catalogue: PluginCatalogue,
): Promise<ReadonlyMap<string, Flow>> {
  const flows = new Map<string, Flow>();
  const folders = paths.filter((path) => !/\.test\.ya?ml$/i.test(path));
  // Tests that are named alone belong to the flows of their folders.
  const beside = paths.filter((path) => /\.test\.ya?ml$/i.test(path)).map((path) => dirname(path));
  for (const { origin, text } of await readFlowSources([...new Set([...folders, ...beside])])) {
    const { flow, issues } = parseFlow(text, catalogue);
    const problem = describeErrors(issues);
    if (!flow || problem !== undefined)
      throw new CommandFailure(`${origin} is not a valid flow: ${problem ?? 'there is no flow'}`);
    flows.set(`${flow.namespace}.${flow.id}`, applyDefaults(flow, { catalogue }));
  }
  return flows;
}

function readSuite(origin: string, text: string): TestSuite {
  const { suite, issues } = readTestSuite(text);
  if (suite) return suite;
  const [first] = issues;
  const line = first?.range ? `:${first.range.start.line}` : '';
  const path = first?.path ? `${first.path}: ` : '';
  throw new CommandFailure(`${origin}${line} is not a valid test suite: ${path}${first?.message ?? ''}`);
}

const surroundingsOf = (flows: ReadonlyMap<string, Flow>, catalogue: PluginCatalogue): TestSurroundings => ({
  types: taskTypesOf(catalogue),
  clock: () => performance.now(),
  subflowOutputs: (namespace, id) => flows.get(`${namespace}.${id}`)?.outputs,
});

async function runOn(
  suite: TestSuite,
  flow: Flow | undefined,
  surroundings: TestSurroundings,
): Promise<TestSuiteResult> {
  const { id, namespace, flowId } = suite;
  const startDate = new Date().toISOString();
  const common = { id, namespace, flowId, flowRevision: flow?.revision ?? 0, startDate };
  if (flow) {
    const { state, results, coverage } = await runTestSuite(suite, flow, surroundings);
    const endDate = new Date().toISOString();
    return { ...common, endDate, state, results: [...results], coverage: [...coverage] };
  }
  const reason = `There is no flow "${flowId}" of the namespace "${namespace}" in these files.`;
  const results = suite.testCases.map((testCase) => ({
    testId: testCase.id,
    state: 'ERROR' as const,
    assertionResults: [],
    errors: [reason],
    assumptions: [],
    durationMs: 0,
  }));
  return { ...common, endDate: startDate, state: worst(['ERROR']), results, coverage: [] };
}

const marks = { SUCCESS: 'passed ', FAILED: 'failed ', ERROR: 'error  ', SKIPPED: 'skipped' } as const;

function linesOf({ namespace, id, results }: TestSuiteResult): string[] {
  return results.flatMap(({ testId, state, errors, assertionResults }) => [
    `${marks[state]}  ${namespace}.${id} ${testId}`,
    ...errors.map((error) => `         ${printable(error)}`),
    ...assertionResults
      .filter(({ isSuccess }) => !isSuccess)
      .map((result) => `         ${printable(describeFailure(result))}`),
  ]);
}

function coverageText(results: readonly TestSuiteResult[]): string {
  const byFlow = new Map<string, TestSuiteResult[]>();
  for (const result of results) {
    const key = `${result.namespace}.${result.flowId}`;
    byFlow.set(key, [...(byFlow.get(key) ?? []), result]);
  }
  const branches = [...byFlow.values()].flatMap((all) => mergeCoverage(all.map(({ coverage }) => coverage)));
  if (branches.length === 0) return '';
  const counts = countCoverage(branches);
  const text = (name: 'branches' | 'tasks') => `${counts[name].covered} of ${counts[name].total} ${name}`;
  return `, ${counts.branches.total > 0 ? `${text('branches')} and ` : ''}${text('tasks')} covered`;
}
