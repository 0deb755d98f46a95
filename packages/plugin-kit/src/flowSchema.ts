import type { TypeKind } from '@millrace/engine';
import { z } from 'zod';
import type { PluginCatalogue } from './catalogue.ts';
import { commonTaskProperties, commonTriggerProperties, retrySchemas } from './commonProperties.ts';
import type { Definition } from './definition.ts';
import { flowProperties } from './flowProperties.ts';
import { inputTypeInfos } from './inputTypes.ts';
import { type JsonSchema, toEditorSchema, toJsonSchema } from './jsonSchema.ts';
import { namesOf } from './typeNames.ts';

export const schemaKinds = ['flow', 'template', 'task', 'trigger', 'plugindefault', 'dashboard'] as const;
export type SchemaKind = (typeof schemaKinds)[number];

/** Which definition stands at the root of each document. */
const roots: Readonly<Record<SchemaKind, string>> = {
  flow: 'Flow',
  template: 'Template',
  task: 'Task',
  trigger: 'Trigger',
  plugindefault: 'PluginDefault',
  dashboard: 'Dashboard',
};

/** The kinds of types that stand at a place of their own, and what every one of them has in common there. */
const places: readonly { place: string; kind: TypeKind; common: z.ZodRawShape; hasId: boolean }[] = [
  { place: 'Task', kind: 'task', common: commonTaskProperties, hasId: true },
  { place: 'Trigger', kind: 'trigger', common: commonTriggerProperties, hasId: true },
  { place: 'Condition', kind: 'condition', common: {}, hasId: false },
  { place: 'TaskRunner', kind: 'taskRunner', common: {}, hasId: false },
  { place: 'LogExporter', kind: 'logExporter', common: {}, hasId: true },
  { place: 'Chart', kind: 'chart', common: {}, hasId: true },
  { place: 'DataFilter', kind: 'dataFilter', common: {}, hasId: false },
];

/**
 * The document the editor works with. A place for many types is one list of names with an if/then per type:
 * with `anyOf` the editor forgets types and answers a missing property by listing every type there is.
 */
export function editorSchema(catalogue: PluginCatalogue, kind: SchemaKind, arrayOf = false): JsonSchema {
  const root = { $ref: `#/definitions/${roots[kind]}` };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...(arrayOf ? { type: 'array', items: root } : root),
    definitions: definitionsOf(catalogue),
  };
}

/** Every document shares them, and there are many. */
const made = new WeakMap<PluginCatalogue, JsonSchema>();

function definitionsOf(catalogue: PluginCatalogue): JsonSchema {
  const definitions = made.get(catalogue) ?? makeDefinitions(catalogue);
  made.set(catalogue, definitions);
  return definitions;
}

function makeDefinitions(catalogue: PluginCatalogue): JsonSchema {
  const definitions: JsonSchema = { ...flowProperties(catalogue) };
  for (const { place, kind, common, hasId } of places) {
    const types = catalogue.list(kind);
    definitions[place] = choiceByType(types, hasId);
    const shared = commonSchemas(place, common);
    Object.assign(definitions, shared);
    const beside = Object.keys(common).map((name) => [name, { $ref: `#/definitions/${place}.${name}` }]);
    for (const type of types) definitions[type.type] = typeSchema(type, Object.fromEntries(beside), hasId);
  }
  definitions.Retry = choiceByWord('type', Object.keys(retrySchemas), 'retry');
  for (const [name, schema] of Object.entries(retrySchemas)) {
    definitions[`retry.${name}`] = withFixedType(toEditorSchema(toJsonSchema(schema)), false);
  }
  definitions.Input = {
    ...choiceByWord('type', Object.keys(inputTypeInfos), 'input'),
    required: ['id', 'type'],
  };
  for (const [name, { input, title, description }] of Object.entries(inputTypeInfos)) {
    definitions[`input.${name}`] = {
      ...withFixedType(toEditorSchema(toJsonSchema(input)), true),
      title,
      markdownDescription: description,
    };
  }
  return definitions;
}

const identifier: JsonSchema = {
  type: 'string',
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9_-]*$',
  markdownDescription: 'The name; unique in the flow.',
};
const inputIdentifier: JsonSchema = {
  type: 'string',
  pattern: '^[a-zA-Z0-9][.a-zA-Z0-9_-]*$',
  markdownDescription: 'The name; unique in the flow.',
};

function choiceByType(types: readonly Definition[], hasId: boolean): JsonSchema {
  const current = types.filter(({ deprecated }) => !deprecated).map(({ type }) => type);
  return {
    type: 'object',
    required: hasId ? ['id', 'type'] : ['type'],
    properties: {
      ...(hasId && { id: identifier }),
      // Completion offers the names in the list; older names are accepted and not offered.
      type: {
        anyOf: [{ enum: current }, { type: 'string', pattern: '^io\\.kestra\\.' }, ...oldNames(types)],
      },
    },
    allOf: types.map((type) => ({
      if: { required: ['type'], properties: { type: { enum: namesOf(type) } } },
      then: { $ref: `#/definitions/${type.type}` },
    })),
  };
}

function oldNames(types: readonly Definition[]): JsonSchema[] {
  const names = types
    .flatMap(({ type, deprecated, aliases = [] }) => [...(deprecated ? [type] : []), ...aliases])
    .filter((name) => !name.startsWith('io.kestra.'))
    .map((name) => name.replaceAll('.', '\\.'));
  return names.length > 0 ? [{ type: 'string', pattern: `^(${names.join('|')})$` }] : [];
}

function choiceByWord(property: string, words: readonly string[], prefix: string): JsonSchema {
  return {
    type: 'object',
    required: [property],
    properties: { [property]: { enum: words } },
    allOf: words.map((word) => ({
      if: { required: [property], properties: { [property]: { const: word } } },
      then: { $ref: `#/definitions/${prefix}.${word}` },
    })),
  };
}

/** What all types of a place have, described once: `Task.retry`, `Trigger.conditions` and so on. */
function commonSchemas(place: string, common: z.ZodRawShape): JsonSchema {
  const { properties } = toEditorSchema(toJsonSchema(z.strictObject(common)));
  return Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, schema]) => [`${place}.${name}`, schema]),
  );
}

/** Unknown properties are refused per type, so each type lists all that may stand beside its own. */
function typeSchema(definition: Definition, beside: JsonSchema, hasId: boolean): JsonSchema {
  const own = toEditorSchema(toJsonSchema(definition.input));
  return {
    ...withFixedType({ ...own, properties: { ...(own.properties as JsonSchema), ...beside } }, hasId),
    title: definition.title,
    markdownDescription: describeType(definition),
    ...(definition.deprecated && { deprecationMessage: `${definition.type} is deprecated.` }),
  };
}

function withFixedType(schema: JsonSchema, hasId: boolean): JsonSchema {
  const properties = schema.properties as JsonSchema;
  return { ...schema, properties: { ...(hasId && { id: inputIdentifier }), type: {}, ...properties } };
}

function describeType({ title, description, examples }: Definition): string {
  const example = examples[0];
  const shown = example ? `\n\n${example.title}\n\n\`\`\`yaml\n${example.code.trim()}\n\`\`\`` : '';
  return `**${title}**\n\n${description}${shown}`;
}
