import type { Task } from '@millrace/contract';
import { ExpressionError, type Host, referencedOutputs, render, type Variables } from '@millrace/expression';
import { controlTypeOf } from '../flow/controlType.ts';
import { formatPath, type Path } from '../flow/path.ts';
import type { Outside } from './dryHost.ts';
import type { RenderedProperty, TaskTypeFacts } from './types.ts';

/** The engine reads these; the task never sees them. */
const commonProperties: ReadonlySet<string> = new Set([
  'id',
  'type',
  'description',
  'retry',
  'timeout',
  'disabled',
  'runIf',
  'allowFailure',
  'allowWarning',
  'logLevel',
  'logToFile',
  'taskCache',
  'assets',
  'version',
  'workerGroup',
  'workerSelector',
]);
/** Lists of tasks inside a task, which are rendered when they run. */
const taskLists: ReadonlySet<string> = new Set([
  'tasks',
  'then',
  'else',
  'cases',
  'defaults',
  'errors',
  'finally',
]);
/** Rendered by the child of a Subflow, or when a Pause is resumed. */
const laterProperties: ReadonlySet<string> = new Set(['outputs', 'onResume']);
/** Rendered for each batch of a ForEachItem. */
const itemProperties: ReadonlySet<string> = new Set(['outputs', 'inputs', 'labels', 'scheduleDate']);
const maxShownCharacters = 2_000;
const maxDepth = 40;

export interface Rendering {
  readonly values: Readonly<Record<string, unknown>>;
  readonly properties: readonly RenderedProperty[];
  /** The first error that fails the task. */
  readonly error?: string;
  /** An error that may only come from generated outputs, so it does not fail the task. */
  readonly isUncertain: boolean;
  readonly isAssumed: boolean;
}

export interface RenderContext {
  readonly variables: Variables;
  readonly outside: Outside;
  /** Tasks whose outputs were generated, or computed from generated ones. */
  readonly generated: ReadonlySet<string>;
}

/** Renders the properties of a task that a worker runs, as the worker would. */
export function renderTask(
  task: Task,
  path: Path,
  facts: TaskTypeFacts | undefined,
  context: RenderContext,
): Rendering {
  const renderer = new Renderer(context);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(task)) {
    if (name === 'timeout' || name === 'runIf') renderer.walk(value, [...path, name], false);
    if (commonProperties.has(name)) continue;
    if (facts?.fixed.includes(name)) values[name] = value;
    else if (facts?.raw.includes(name)) {
      // The task renders it later, perhaps with more variables: an error here proves nothing.
      renderer.walk(value, [...path, name], false);
      values[name] = value;
    } else values[name] = renderer.walk(value, [...path, name], true);
  }
  return renderer.result(values);
}

/** Renders the properties of a control task for display; the engine has already decided with them. */
export function renderControl(task: Task, path: Path, context: RenderContext): readonly RenderedProperty[] {
  const renderer = new Renderer(context);
  const later = controlTypeOf(task.type) === 'core.flow.ForEachItem' ? itemProperties : laterProperties;
  for (const [name, value] of Object.entries(task)) {
    if (taskLists.has(name) || later.has(name)) continue;
    if (commonProperties.has(name) && name !== 'runIf') continue;
    renderer.walk(value, [...path, name], true);
  }
  return renderer.result({}).properties;
}

/** Renders any structure, such as the outputs of a flow. */
export function renderAt(value: unknown, path: Path, context: RenderContext): readonly RenderedProperty[] {
  const renderer = new Renderer(context);
  renderer.walk(value, path, true);
  return renderer.result({}).properties;
}

class Renderer {
  readonly #context: RenderContext;
  readonly #properties: RenderedProperty[] = [];
  #error: string | undefined;
  #isUncertain = false;
  #isAssumed = false;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  result(values: Readonly<Record<string, unknown>>): Rendering {
    return {
      values,
      properties: this.#properties,
      isUncertain: this.#isUncertain,
      isAssumed: this.#isAssumed,
      ...(this.#error === undefined ? {} : { error: this.#error }),
    };
  }

  walk(value: unknown, path: Path, fails: boolean, depth = 0): unknown {
    if (typeof value === 'string') return this.#text(value, path, fails);
    if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
    if (Array.isArray(value))
      return value.map((item, index) => this.walk(item, [...path, index], fails, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        isExpression(key) ? String(this.#text(key, path, fails)) : key,
        this.walk(inner, [...path, key], fails, depth + 1),
      ]),
    );
  }

  #text(source: string, path: Path, fails: boolean): unknown {
    if (!isExpression(source)) return source;
    const { variables, outside, generated } = this.#context;
    const before = outside.assumed;
    const place = formatPath(path);
    const isGenerated = readsGenerated(source, generated) || readsGeneratedInput(source, outside);
    try {
      const text = String(renderNow(source, variables, outside.host));
      const isAssumed = isGenerated || outside.assumed > before;
      this.#isAssumed ||= isAssumed;
      const value = text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
      this.#properties.push({ path: place, value, ...(isAssumed ? { isAssumed: true } : {}) });
      return text;
    } catch (error) {
      const isAssumed = isGenerated || outside.assumed > before;
      this.#isAssumed ||= isAssumed;
      if (isAssumed) this.#isUncertain = true;
      else if (fails) this.#error ??= messageOf(error);
      this.#properties.push({
        path: place,
        error: messageOf(error),
        ...(error instanceof ExpressionError && error.kind === 'missing' ? { isUndefined: true } : {}),
        ...(isAssumed ? { isAssumed: true } : {}),
      });
      return source;
    }
  }
}

/** The host of a dry run returns no promise, so a rendering is never asynchronous. */
function renderNow(source: string, variables: Variables, host: Host): string {
  const text = render(source, variables, host);
  if (typeof text === 'string') return text;
  text.catch(() => undefined);
  throw new Error('The expression needs a service that a dry run does not have.');
}

function readsGenerated(source: string, generated: ReadonlySet<string>): boolean {
  if (generated.size === 0) return false;
  const read = referencedOutputs(source);
  return read === 'all' ? source.includes('outputs') : read.some((id) => generated.has(id));
}

function readsGeneratedInput(source: string, { assumptions }: Outside): boolean {
  if (assumptions.size === 0 || !source.includes('inputs')) return false;
  return [...source.matchAll(/\binputs\.(\w+)/g)].some(([, id]) => assumptions.has(`input ${id}`));
}

const isExpression = (text: string): boolean => text.includes('{{') || text.includes('{%');

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
