import { type LogLevel, logLevels } from '@millrace/contract';
import { isTruthy, render, renderTyped, type Variables } from '@millrace/expression';
import { splitType } from '../control/forEachItem.ts';
import { formatDuration, readDuration } from '../duration.ts';
import type { Outside } from './dryHost.ts';
import { messageOf } from './renderTask.ts';
import type { Values } from './types.ts';

export interface ComputeContext {
  /** The properties, rendered except those that the task renders itself. */
  readonly properties: Values;
  readonly variables: Variables;
  readonly outside: Outside;
  /** The number of batches that a ForEachItem splits its file into. */
  readonly batches: number;
  log(level: LogLevel, message: string): void;
}

export interface Computed {
  readonly outputs?: Values;
  readonly durationMs?: number;
}

type Compute = (context: ComputeContext) => Computed;

/** Tasks that only compute, log or store inside of the execution: a dry run gives their real result. */
const computes: Readonly<Record<string, Compute>> = {
  'core.log.Log': ({ properties, log }) => {
    for (const line of textsOf(properties.message)) log(levelOf(properties.level), line);
    return {};
  },
  'core.debug.Echo': ({ properties, log }) => {
    log(levelOf(properties.level), textOf(properties.format));
    return {};
  },
  'core.debug.Return': ({ properties, log }) => {
    const value = isNothing(properties.format) ? null : textOf(properties.format);
    if (value !== null) log('DEBUG', value);
    return { outputs: { value } };
  },
  'core.output.OutputValues': ({ properties }) => ({ outputs: { values: mapOf(properties.values) } }),
  'core.execution.Fail': ({ properties }) => {
    const { condition, errorMessage } = properties;
    if (isNothing(condition) || isTruthy(textOf(condition)))
      throw new Error(isNothing(errorMessage) ? 'Task failure' : textOf(errorMessage));
    return {};
  },
  'core.execution.Assert': assert,
  'core.flow.Sleep': ({ properties, log }) => {
    const durationMs = readDuration(properties.duration);
    if (durationMs === undefined)
      throw new Error(
        `"duration" must be an ISO 8601 duration such as PT1M30S, got "${textOf(properties.duration)}".`,
      );
    log('INFO', `Waiting for ${formatDuration(durationMs)}.`);
    return { durationMs };
  },
  'core.kv.Set': ({ properties, variables, outside }) => {
    const value = renderTypedDeep(properties.value, variables, outside);
    outside.kv.set(textOf(properties.key), value);
    return {};
  },
  'core.kv.Delete': ({ properties, outside }) => {
    const key = textOf(properties.key);
    const deleted = outside.kv.has(key);
    outside.kv.set(key, undefined);
    return { outputs: { deleted } };
  },
  'core.kv.Get': ({ properties, outside }) => ({
    outputs: { value: outside.host.kv?.(textOf(properties.key)) ?? null },
  }),
  'core.storage.Write': ({ properties, outside }) => {
    const extension = isNothing(properties.extension) ? '.txt' : textOf(properties.extension);
    const ending = extension === '' || extension.startsWith('.') ? extension : `.${extension}`;
    return { outputs: { uri: outside.write(`content${ending}`, textOf(properties.content)) } };
  },
  'core.metric.Publish': () => ({}),
  [splitType]: ({ outside, batches }) => {
    const uris = Array.from({ length: batches }, (_, index) => outside.write(`batch-${index + 1}.txt`, ''));
    return { outputs: { splits: outside.write('splits.txt', uris.map((uri) => `${uri}\n`).join('')) } };
  },
};

/** The computation of a type by its canonical name; undefined for tasks that need the outside. */
export const computeOf = (type: string): Compute | undefined =>
  Object.hasOwn(computes, type) ? computes[type] : undefined;

function assert({ properties, variables, outside, log }: ComputeContext): Computed {
  const conditions = Array.isArray(properties.conditions) ? properties.conditions.map(textOf) : [];
  let failed = 0;
  for (const condition of conditions) {
    const problem = assertionProblem(condition, variables, outside);
    if (problem === undefined) continue;
    failed++;
    log('ERROR', problem);
  }
  if (failed === 0) return {};
  if (!isNothing(properties.errorMessage))
    log('ERROR', String(render(textOf(properties.errorMessage), variables, outside.host)));
  throw new Error(`${failed} assertion${failed === 1 ? '' : 's'} failed!`);
}

function assertionProblem(condition: string, variables: Variables, outside: Outside): string | undefined {
  try {
    const rendered = render(condition, variables, outside.host);
    if (isTruthy(rendered)) return undefined;
    return `Assertion \`${condition}\` failed: it rendered to "${String(rendered)}".`;
  } catch (error) {
    return `Assertion \`${condition}\` could not be rendered: ${messageOf(error)}`;
  }
}

function renderTypedDeep(value: unknown, variables: Variables, outside: Outside): unknown {
  if (typeof value === 'string') return renderTyped(value, variables, outside.host);
  if (Array.isArray(value)) return value.map((item) => renderTypedDeep(item, variables, outside));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, renderTypedDeep(inner, variables, outside)]),
  );
}

const isNothing = (value: unknown): value is null | undefined => value === undefined || value === null;

const textOf = (value: unknown): string =>
  isNothing(value) ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A text, a list of texts, or the JSON of a list of plain values. */
function textsOf(value: unknown): readonly string[] {
  const read = typeof value === 'string' && /^\s*\[/.test(value) ? parsed(value) : value;
  const isList = Array.isArray(read) && read.every((item) => typeof item !== 'object' || item === null);
  return isList ? read.map(textOf) : [textOf(value)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mapOf(value: unknown): Values {
  const read = typeof value === 'string' ? parsed(value) : value;
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Values) : {};
}

const levelOf = (value: unknown): LogLevel => logLevels.find((level) => level === value) ?? 'INFO';
