/**
 * Parts of types: a property declared with `aPart` or `partsOf` holds a map whose `type` names an additional plugin.
 * The catalogue checks them when a flow is saved, and the task creates them when it runs.
 */

import { shortType, type TypeInfo, type TypeIssue, type TypeKind } from '@millrace/engine';
import type { z } from 'zod';
import { hideCredentials } from './credentials.ts';
import type { AdditionalDefinition, Definition, TaskContext } from './definition.ts';
import { isExpression } from './dynamic.ts';
import { TaskFailed } from './failure.ts';
import { insteadOf } from './omittedTypes.ts';
import { readInput, renderProperties } from './runTask.ts';
import { entryOf, metaOf, shapeOf } from './schemaPath.ts';
import type { Properties } from './values.ts';

export interface KnownTypes {
  find(type: string): (TypeInfo & { readonly definition: Definition }) | undefined;
  nearest(type: string, kind: TypeKind, place?: string): string | undefined;
}

/** Checks the parts in the properties of a definition, and the parts inside of them. */
export function checkParts(definition: Definition, properties: Properties, types: KnownTypes): TypeIssue[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    const schema = definition.input.shape[name] as z.ZodType | undefined;
    if (!schema) return [];
    const place = placeIn(schema);
    if (place !== undefined) return checkPart(value, place, name, types);
    const entry = entryOf(schema);
    const entryPlace = entry && placeIn(entry);
    if (entryPlace === undefined || !Array.isArray(value)) return [];
    return value.flatMap((one, index) => checkPart(one, entryPlace, `${name}[${index}]`, types));
  });
}

function placeIn(schema: z.ZodType): string | undefined {
  const { $place, $isPart } = metaOf(schema);
  return $isPart === true && typeof $place === 'string' ? $place : undefined;
}

/** Whether the definition itself reads the `type` of this property, such as the generator of `datagen.core.Generate`. */
export function hasOwnType(definition: Definition, property: string): boolean {
  const schema = definition.input.shape[property] as z.ZodType | undefined;
  return schema !== undefined && shapeOf(schema)?.type !== undefined && metaOf(schema).$place === undefined;
}

function checkPart(value: unknown, place: string, path: string, types: KnownTypes): TypeIssue[] {
  if (!isMap(value) || typeof value.type !== 'string' || isExpression(value.type)) return [];
  const { type, ...properties } = value;
  const info = types.find(value.type);
  if (!fits(info?.definition, place)) {
    const instead = insteadOf(value.type);
    const nearest = types.nearest(value.type, 'additionalPlugin', place);
    const advice = instead ? `; ${instead}` : nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return [
      {
        severity: 'error',
        path: `${path}.type`,
        message: `Invalid type: ${type}${advice}`,
        ...(!info && { unknownType: shortType(value.type) }),
      },
    ];
  }
  const found: TypeIssue[] = (info?.check(properties) ?? []).map((issue) => ({
    ...issue,
    path: issue.path === '' ? path : `${path}.${issue.path}`,
  }));
  if (info && shortType(value.type) !== info.type)
    found.push({
      severity: 'info',
      path: `${path}.type`,
      message: `"${type}" is another name for "${info.type}"`,
    });
  return found;
}

const fits = (definition: Definition | undefined, place: string): definition is AdditionalDefinition =>
  definition?.kind === 'additionalPlugin' && definition.place === place;

/**
 * Creates the part in a property of a running task. `isRendered` is false for a property that the task
 * declares as `raw`: then each part renders its own properties, except those it renders later itself.
 *
 * `T` is the interface of the place, which only its family defines.
 */
export async function createPart<T>(
  context: TaskContext,
  place: string,
  written: Properties,
  { isRendered }: { readonly isRendered: boolean },
): Promise<T> {
  const { type, ...properties } = written;
  const definition = context.findType(String(type));
  if (!fits(definition, place))
    throw new TaskFailed(`"${String(type)}" is no ${place} of this server.`, { retry: false });
  const rendered = isRendered ? properties : await renderProperties(definition, properties, context);
  const input = readInput(definition.type, definition.input, rendered);
  hideCredentials(context.masker, definition.input, input);
  return (await definition.create(context, input)) as T;
}

/** The same for a list; a raw list may be one expression that renders to the JSON of a list. */
export async function createParts<T>(
  context: TaskContext,
  place: string,
  written: unknown,
  { isRendered }: { readonly isRendered: boolean },
): Promise<readonly T[]> {
  const isLate = !isRendered && isExpression(written);
  const list = isLate ? readList(await context.render(written)) : written;
  const parts: T[] = [];
  for (const one of Array.isArray(list) ? list : [])
    if (isMap(one))
      parts.push(await createPart<T>(context, place, one, { isRendered: isRendered || isLate }));
  return parts;
}

function readList(rendered: unknown): unknown {
  if (typeof rendered !== 'string') return rendered;
  try {
    return JSON.parse(rendered);
  } catch {
    throw new TaskFailed(`A list was expected, got ${JSON.stringify(rendered.slice(0, 100))}.`, {
      retry: false,
    });
  }
}

const isMap = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
