import type { Path } from '@millrace/engine';
import { isMap, valueAt } from '../source/edit.ts';
import { branchOf } from './branch.ts';
import { type Field, fieldOf } from './field.ts';
import { asSchema, type Definitions, type Schema, typeSchema } from './schema.ts';

/** A place of the document together with what may stand there. */
export interface Placed {
  readonly field: Field;
  /** The schema of the object around it, and the name of the property; of a list, its own. */
  readonly name: string;
  readonly parent: Schema | undefined;
}

/** Walks the schema along a path of the data: what a thing may hold depends on the type it says. */
export function schemaAt(definitions: Definitions, root: Schema, data: unknown, path: Path): Placed {
  let placed: Placed = { field: fieldOf(definitions, root), name: '', parent: undefined };
  for (const [depth, step] of path.entries()) {
    const value = valueAt(data, path.slice(0, depth));
    const { written, parent } = below(definitions, placed.field, value, step);
    const name = typeof step === 'string' ? step : placed.name;
    placed = { field: fieldOf(definitions, written, { name, ...(parent && { parent }) }), name, parent };
  }
  return placed;
}

function below(
  definitions: Definitions,
  field: Field,
  value: unknown,
  step: string | number,
): { written: unknown; parent?: Schema } {
  switch (field.kind) {
    case 'object':
      return { written: asSchema(field.schema.properties)[step], parent: field.schema };
    case 'block': {
      const schema = typeSchema(definitions, field.place, isMap(value) ? value.type : undefined);
      return schema ? { written: asSchema(schema.properties)[step], parent: schema } : { written: {} };
    }
    case 'blocks':
      return { written: field.items.schema };
    case 'list':
      return { written: field.items };
    case 'dict':
      return { written: field.values };
    case 'oneOf': {
      const branch = field.branches[branchOf(field.branches, value)];
      return branch ? below(definitions, fieldOf(definitions, branch), value, step) : { written: {} };
    }
    default:
      return { written: {} };
  }
}
