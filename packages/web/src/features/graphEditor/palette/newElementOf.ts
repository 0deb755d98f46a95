import type { AskedSchema } from '../../forms/index.ts';
import {
  asSchema,
  newElement,
  type Schema,
  schemaAt,
  typeSchema,
  typesOf,
} from '../../forms/schema/index.ts';
import type { FlowText } from '../edits/flowText.ts';
import type { Part } from '../edits/slot.ts';

/** The types that a task or a trigger can have, with their titles. */
export function typesFor(schema: Pick<AskedSchema, 'data'>, kind: Part['kind']): ReadonlyMap<string, string> {
  const place = placeOf(schema, kind);
  return place ? typesOf(place) : new Map();
}

/** A new task or trigger of a type: a free id, and the values that its schema gives. */
export async function newElementOf(
  schema: AskedSchema,
  text: FlowText,
  kind: Part['kind'],
  type: string,
): Promise<Record<string, unknown> | undefined> {
  const place = placeOf(schema, kind);
  if (!place) return undefined;
  const definitions = asSchema(schema.data?.definitions);
  const known = typeSchema(definitions, place, type) ?? (await schema.readType(type)) ?? {};
  // A type without a schema, such as one of a missing plugin, still needs an id.
  const properties = { id: {}, ...asSchema(known.properties) };
  return newElement({ ...known, properties }, type, text.ids);
}

function placeOf(schema: Pick<AskedSchema, 'data'>, kind: Part['kind']): Schema | undefined {
  const definitions = asSchema(schema.data?.definitions);
  const { field } = schemaAt(definitions, asSchema(definitions.Flow), {}, [
    kind === 'task' ? 'tasks' : 'triggers',
  ]);
  return field.kind === 'blocks' ? field.items.place : undefined;
}
