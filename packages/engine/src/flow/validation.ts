import { type FlowValidation, type PluginDefault, tellViolations } from '@millrace/contract';
import type { Answer } from '@millrace/expression';
import type { Catalogue } from '../catalogue.ts';
import { allTasks } from './children.ts';
import type { Finding } from './findings.ts';
import { type ParsedFlow, type ParseOptions, parseFlow } from './parseFlow.ts';
import { isLiteralTarget, type SubflowTarget, subflowTarget } from './subflowTarget.ts';

/** Lookups of saved flows that validation needs. */
export interface FlowLookups {
  /** The newest revision, deletions included; 0 or undefined when there never was one. */
  lastRevision(namespace: string, id: string): Answer<number | undefined>;
  /** The flow that a subflow task calls; undefined when it does not exist. */
  findFlow(target: SubflowTarget): Answer<{ readonly disabled: boolean } | undefined>;
  readonly globalDefaults?: readonly PluginDefault[];
}

/** Documents are separated by lines that hold nothing but `---`. Blank ones do not count. */
export function splitSources(sources: string): string[] {
  const documents = sources.split(/^---[ \t]*\r?$\n?/m);
  const filled = documents.filter((document) => document.trim() !== '');
  return filled.length === 0 ? [sources] : filled;
}

/** Validates each document of a text, in order. Invalid content is part of the result, never an exception. */
export async function validateSource(
  sources: string,
  catalogue: Catalogue | undefined,
  lookups: FlowLookups,
): Promise<FlowValidation[]> {
  const { globalDefaults } = lookups;
  const results: FlowValidation[] = [];
  for (const [index, source] of splitSources(sources).entries()) {
    const parsed = parseInFull(source, catalogue, globalDefaults ? { globalDefaults } : {});
    const warnings = await subflowWarnings(parsed, lookups);
    const outdated = await isOutdated(parsed, lookups);
    results.push(describe(parsed, index, outdated, warnings));
  }
  return results;
}

/** Parses a flow with its expressions; without types, as much as can be known. */
const parseInFull = (
  source: string,
  catalogue: Catalogue | undefined,
  options: ParseOptions = {},
): ParsedFlow =>
  parseFlow(source, catalogue, { ...options, expressions: (type) => catalogue?.find(type)?.shape });

/** The warnings about a flow that is being saved. */
export const warningsOf = (source: string, catalogue: Catalogue): string[] =>
  describeWarnings(parseInFull(source, catalogue).issues);

/** The one text of all errors, as saving shows it; undefined for a valid flow. */
export function describeErrors(issues: readonly Finding[]): string | undefined {
  return tellViolations(violationsOf(issues)).constraints;
}

/** The errors one by one; those about the flow as a whole are one violation. */
export function violationsOf(issues: readonly Finding[]): { path: string; message: string }[] {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const whole = errors.filter((issue) => issue.flowLevel).map((issue) => issue.message);
  const single = errors.filter((issue) => !issue.flowLevel).map(({ path, message }) => ({ path, message }));
  return whole.length > 0 ? [...single, { path: '', message: `Invalid Flow: ${whole.join('; ')}` }] : single;
}

/** Each warning as one text that begins with its path, as errors do. */
export const describeWarnings = (issues: readonly Finding[]): string[] => describeAll(issues, 'warning');

/** Each note as one text that begins with its path. */
export const describeInfos = (issues: readonly Finding[]): string[] => describeAll(issues, 'info');

const describeAll = (issues: readonly Finding[], wanted: Finding['severity']): string[] =>
  issues
    .filter(({ severity }) => severity === wanted)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));

function describe(
  { flow, issues }: ParsedFlow,
  index: number,
  outdated: boolean,
  moreWarnings: readonly string[],
): FlowValidation {
  const of = (severity: Finding['severity']) => issues.filter((issue) => issue.severity === severity);
  const warnings = [...describeWarnings(issues), ...moreWarnings];
  const infos = describeInfos(issues);
  const deprecationPaths = [...new Set(of('deprecation').map((issue) => issue.path))];
  return {
    ...(flow && flow.id !== '' && { flow: flow.id }),
    ...(flow && flow.namespace !== '' && { namespace: flow.namespace }),
    index,
    ...tellViolations(violationsOf(issues)),
    outdated,
    ...(deprecationPaths.length > 0 && { deprecationPaths }),
    ...(warnings.length > 0 && { warnings }),
    ...(infos.length > 0 && { infos }),
  };
}

/** [E163] A text with a `revision:` is based on the revision before it. */
async function isOutdated({ flow, sourceRevision }: ParsedFlow, lookups: FlowLookups): Promise<boolean> {
  if (!flow || sourceRevision === undefined) return false;
  const last = (await lookups.lastRevision(flow.namespace, flow.id)) ?? 0;
  return sourceRevision !== last + 1;
}

/** [E164] A literal call of a missing or disabled flow is a warning. */
async function subflowWarnings({ flow }: ParsedFlow, lookups: FlowLookups): Promise<string[]> {
  const warnings = new Set<string>();
  for (const task of flow ? allTasks(flow) : []) {
    const target = subflowTarget(task);
    if (!target || !isLiteralTarget(target)) continue;
    const found = await lookups.findFlow(target);
    const name = `${target.namespace}.${target.flowId}`;
    if (!found) warnings.add(`The subflow "${name}" of task "${task.id}" does not exist`);
    else if (found.disabled) warnings.add(`The subflow "${name}" of task "${task.id}" is disabled`);
  }
  return [...warnings];
}
