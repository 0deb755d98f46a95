import type { TaskTypeFacts, TaskTypes } from '@millrace/engine/dry-run';
import type { z } from 'zod';
import type { PluginCatalogue } from './catalogue.ts';
import type { Definition } from './definition.ts';
import { toJsonSchema } from './jsonSchema.ts';
import { metaOf } from './schemaPath.ts';
import { namesOf } from './typeNames.ts';

type TaskFacts = TaskTypeFacts & { readonly names: readonly string[]; readonly hasFolder: boolean };

const known = new WeakMap<Definition, TaskFacts>();

/** The facts about a task type that a dry run needs; undefined for types that are not tasks. */
function factsOf(definition: Definition | undefined): TaskFacts | undefined {
  if (definition?.kind !== 'task') return undefined;
  let facts = known.get(definition);
  if (!facts) {
    const isFixed = (schema: unknown) => metaOf(schema as z.ZodType).$dynamic === false; // A shape holds schemas.
    facts = {
      type: definition.type,
      names: namesOf(definition),
      outputs: toJsonSchema(definition.output),
      fixed: Object.entries(definition.input.shape).flatMap(([name, schema]) =>
        isFixed(schema) ? [name] : [],
      ),
      raw: 'raw' in definition ? (definition.raw ?? []) : [],
      hasFolder: 'renderWith' in definition && definition.renderWith !== undefined,
    };
    known.set(definition, facts);
  }
  return facts;
}

/** The catalogue as dry runs and flow tests read it. */
export const taskTypesOf = (catalogue: PluginCatalogue): TaskTypes => ({
  find: (type) => factsOf(catalogue.find(type)?.definition),
});

/** The facts of the named types, each once; names that are no task are left out. */
export function listTaskTypes(catalogue: PluginCatalogue, names: readonly string[]): readonly TaskFacts[] {
  const types = new Set(names.flatMap((name) => catalogue.find(name)?.type ?? []));
  return [...types].flatMap((type) => factsOf(catalogue.find(type)?.definition) ?? []);
}
