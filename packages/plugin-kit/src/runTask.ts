import type { Task } from '@millrace/contract';
import type { z } from 'zod';
import { dropNulls } from './checkProperties.ts';
import { ownProperties } from './commonProperties.ts';
import type { Variables } from './context.ts';
import { hideCredentials } from './credentials.ts';
import type { TaskContext, TaskDefinition } from './definition.ts';
import { isExpression } from './dynamic.ts';
import { TaskFailed, Warning } from './failure.ts';
import { describeIssue, joinPath } from './propertyIssue.ts';
import { metaOf } from './schemaPath.ts';
import type { Outputs, Properties } from './values.ts';

export interface TaskResult {
  readonly state: 'SUCCESS' | 'WARNING';
  readonly outputs: Outputs;
}

/** Caches the outputs of a task by its rendered properties. */
export interface OutputCache {
  find(properties: Properties): Promise<Outputs | undefined>;
  keep(properties: Properties, outputs: Outputs): Promise<void>;
}

/** Renders and parses the properties of a task, runs it, and returns its result. Throws on failure. */
export async function runTask(
  definition: TaskDefinition,
  task: Task,
  context: TaskContext,
  cache?: OutputCache,
): Promise<TaskResult> {
  const rendered = await renderProperties(definition, ownPropertiesOf(definition, task), context);
  const input = readInput(definition.type, definition.input, rendered);
  hideCredentials(context.masker, definition.input, input);
  const kept = await cache?.find(rendered);
  if (kept) {
    await context.log('INFO', 'The outputs of an earlier execution are used again.');
    return { state: 'SUCCESS', outputs: kept };
  }
  const result = await definition.run(context, input);
  if (result instanceof Warning) return { state: 'WARNING', outputs: result.outputs };
  await cache?.keep(rendered, result);
  return { state: 'SUCCESS', outputs: result };
}

/** The properties per task. A task is the same object in every execution, so it is read only once. */
const known = new WeakMap<Task, Properties>();

function ownPropertiesOf({ input }: TaskDefinition, task: Task): Properties {
  let own = known.get(task);
  if (!own) {
    own = ownProperties('task', task, input.shape);
    known.set(task, own);
  }
  return own;
}

/** The rendered properties as the type's schema reads them: text turned into numbers, lists, milliseconds. */
export function readInput(type: string, schema: z.ZodObject, rendered: Properties): Properties {
  const present = dropNulls(rendered);
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `Unrecognized field ${issue.keys.map((key) => `"${key}"`).join(', ')}`
      : `"${joinPath(issue.path)}" ${describeIssue(issue, present)}`,
  );
  // No retry: rendered outputs may change between attempts, but a wrong type stays wrong.
  throw new TaskFailed(`Invalid properties of ${type}: ${problems.join('; ')}`, { retry: false });
}

type Renderer = Pick<TaskContext, 'render'>;

interface Renderable<C extends Renderer> {
  readonly input: z.ZodObject;
  readonly raw?: readonly string[];
  renderWith?(context: C): Promise<Variables>;
}

/** Renders the properties that the definition does not render itself. Skips those without expressions. */
export async function renderProperties<C extends Renderer>(
  definition: Renderable<C>,
  properties: Properties,
  context: C,
): Promise<Properties> {
  const names = namesToRender(definition, properties);
  if (names.length === 0) return properties;
  const more = await definition.renderWith?.(context);
  const rendered: Record<string, unknown> = { ...properties };
  for (const name of names) rendered[name] = await context.render(properties[name], more);
  return rendered;
}

/** The names to render per properties object. Properties are immutable, so they are searched only once. */
const renderedNames = new WeakMap<Properties, { definition: object; names: readonly string[] }>();

function namesToRender(definition: Renderable<never>, properties: Properties): readonly string[] {
  const earlier = renderedNames.get(properties);
  if (earlier?.definition === definition) return earlier.names;
  const names = Object.keys(properties).filter(
    (name) =>
      !definition.raw?.includes(name) && holdsExpression(properties[name]) && !isStatic(definition, name),
  );
  renderedNames.set(properties, { definition, names });
  return names;
}

function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return isExpression(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => isExpression(key) || holdsExpression(inner));
}

function isStatic(definition: Pick<Renderable<never>, 'input'>, name: string): boolean {
  const schema = definition.input.shape[name];
  return schema !== undefined && metaOf(schema as z.ZodType).$dynamic === false;
}
