import { setImmediate } from 'node:timers/promises';
import type { TypeKind } from '@millrace/engine';
import { z } from 'zod';
import type { PluginCatalogue } from './catalogue.ts';
import { commonTaskProperties, commonTriggerProperties, retrySchemas } from './commonProperties.ts';
import type { Definition } from './definition.ts';
import type { TypeSummary } from './familySource.ts';
import { flowProperties } from './flowProperties.ts';
import { inputTypeInfos } from './inputTypes.ts';
import { type JsonSchema, toEditorSchema, toJsonSchema } from './jsonSchema.ts';
import { namesOf, type TypeNames } from './typeNames.ts';
import { typeShape } from './typeShape.ts';

export const schemaKinds = ['flow', 'template', 'task', 'trigger', 'plugindefault', 'dashboard'] as const;
export type SchemaKind = (typeof schemaKinds)[number];

/** The root definition of each document. */
const roots: Readonly<Record<SchemaKind, string>> = {
  flow: 'Flow',
  template: 'Template',
  task: 'Task',
  trigger: 'Trigger',
  plugindefault: 'PluginDefault',
  dashboard: 'Dashboard',
};

/** The place of a kind of type in a document, and the properties that all its types share. */
interface Place {
  readonly name: string;
  readonly kind: TypeKind;
  readonly common: z.ZodRawShape;
  readonly hasId: boolean;
}

const places: readonly Place[] = [
  { name: 'Task', kind: 'task', common: commonTaskProperties, hasId: true },
  { name: 'Trigger', kind: 'trigger', common: commonTriggerProperties, hasId: true },
  { name: 'Condition', kind: 'condition', common: {}, hasId: false },
  { name: 'TaskRunner', kind: 'taskRunner', common: {}, hasId: false },
  { name: 'LogExporter', kind: 'logExporter', common: {}, hasId: true },
  { name: 'Chart', kind: 'chart', common: {}, hasId: true },
  { name: 'DataFilter', kind: 'dataFilter', common: {}, hasId: false },
];

/** The places of parts, which additional plugins define. */
const partPlaces = (catalogue: PluginCatalogue): readonly Place[] =>
  [...new Set(catalogue.list('additionalPlugin').flatMap(({ place }) => place ?? []))].map((name) => ({
    name,
    kind: 'additionalPlugin',
    common: {},
    hasId: false,
  }));

const allPlaces = (catalogue: PluginCatalogue): readonly Place[] => [...places, ...partPlaces(catalogue)];

const typesAt = (catalogue: PluginCatalogue, { name, kind }: Place): readonly TypeSummary[] =>
  kind === 'additionalPlugin'
    ? catalogue.list(kind).filter(({ place }) => place === name)
    : catalogue.list(kind);

/**
 * The complete document with every type, for clients that read it once. A place for many types is one list of
 * names with an if/then per type: with `anyOf`, an editor reports a missing property by listing every type.
 * There may be more than a thousand types, so the function yields to the event loop in between.
 */
export async function flowSchema(
  catalogue: PluginCatalogue,
  kind: SchemaKind,
  arrayOf = false,
): Promise<JsonSchema> {
  const outline = flowOutline(catalogue, kind);
  const definitions = outline.definitions as JsonSchema;
  for (const place of allPlaces(catalogue)) {
    const types = typesAt(catalogue, place);
    for (const [index, { type }] of types.entries()) {
      if (index % typesPerSlice === 0) await setImmediate();
      const definition = catalogue.find(type)?.definition;
      if (definition) definitions[type] = typeSchema(definition, place);
    }
    definitions[place.name] = { ...(definitions[place.name] as JsonSchema), allOf: types.map(branchOf) };
  }
  if (!arrayOf) return outline;
  const { $ref, ...rest } = outline;
  return { ...rest, type: 'array', items: { $ref } };
}

const typesPerSlice = 10;

/** The document with the names of all types but no schemas: an editor requests those that the source uses. */
export function flowOutline(catalogue: PluginCatalogue, kind: SchemaKind): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $ref: `#/definitions/${roots[kind]}`,
    definitions: { ...sharedDefinitions(), ...flowProperties(catalogue), ...typeChoices(catalogue) },
  };
}

/** The schema that an editor adds to the outline for one type that the source uses. */
export interface TypeSchema {
  readonly type: string;
  /** Every name under which a text may write it. */
  readonly names: string[];
  /** The definition whose list of branches gets this one. */
  readonly place: string;
  readonly branch: JsonSchema;
  readonly schema: JsonSchema;
  readonly shape: Shape;
}

/** A shape as JSON, with lists that may be changed. */
interface Shape {
  outputs?: JsonSchema;
  fixed?: string[];
  raw?: string[];
  addsVariables?: boolean;
}

/** The schemas of the named types; aliases are accepted, unknown names are skipped. */
export function typeSchemas(catalogue: PluginCatalogue, names: readonly string[]): readonly TypeSchema[] {
  const types = new Set(names.flatMap((name) => catalogue.find(name)?.type ?? []));
  return [...types].flatMap((type) => {
    const definition = catalogue.find(type)?.definition;
    const place = definition && placeOf(catalogue, definition);
    if (!definition || !place || definition.isInner) return [];
    return {
      type,
      names: namesOf(definition),
      place: place.name,
      branch: branchOf(definition),
      schema: typeSchema(definition, place),
      shape: shapeOf(definition),
    };
  });
}

function shapeOf(definition: Definition): Shape {
  const { outputs, fixed, raw, addsVariables } = typeShape(definition);
  return {
    ...(outputs && { outputs }),
    ...(fixed && { fixed: [...fixed] }),
    ...(raw && { raw: [...raw] }),
    ...(addsVariables && { addsVariables }),
  };
}

const placeOf = (catalogue: PluginCatalogue, definition: Definition): Place | undefined =>
  definition.kind === 'additionalPlugin'
    ? partPlaces(catalogue).find(({ name }) => name === definition.place)
    : places.find(({ kind }) => kind === definition.kind);

let shared: JsonSchema | undefined;

/** Definitions that do not depend on plugins: common properties, retries, inputs. */
function sharedDefinitions(): JsonSchema {
  shared ??= makeSharedDefinitions();
  return shared;
}

function makeSharedDefinitions(): JsonSchema {
  const definitions: JsonSchema = {};
  for (const { name, common } of places) Object.assign(definitions, commonSchemas(name, common));
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

const typeChoices = (catalogue: PluginCatalogue): JsonSchema =>
  Object.fromEntries(
    allPlaces(catalogue).map((place) => [place.name, typeChoice(typesAt(catalogue, place), place.hasId)]),
  );

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

function typeChoice(types: readonly TypeSummary[], hasId: boolean): JsonSchema {
  const current = types.filter(({ deprecated }) => !deprecated);
  return {
    type: 'object',
    required: hasId ? ['id', 'type'] : ['type'],
    properties: {
      ...(hasId && { id: identifier }),
      // Completion offers the names in the list; older names are accepted and not offered.
      type: {
        anyOf: [
          {
            enum: current.map(({ type }) => type),
            markdownEnumDescriptions: current.map(({ title }) => title),
          },
          { type: 'string', pattern: '^io\\.kestra\\.' },
          ...oldNames(types),
        ],
      },
    },
    // Each type with a loaded schema adds its branch.
    allOf: [],
  };
}

const branchOf = (type: TypeNames): JsonSchema => ({
  if: { required: ['type'], properties: { type: { enum: namesOf(type) } } },
  then: { $ref: `#/definitions/${type.type}` },
});

function oldNames(types: readonly TypeSummary[]): JsonSchema[] {
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

/** Properties that all types of a place share, defined once: `Task.retry`, `Trigger.conditions` and so on. */
function commonSchemas(place: string, common: z.ZodRawShape): JsonSchema {
  const { properties } = toEditorSchema(toJsonSchema(z.strictObject(common)));
  return Object.fromEntries(
    Object.entries(properties as JsonSchema).map(([name, schema]) => [`${place}.${name}`, schema]),
  );
}

/** Unknown properties are rejected per type, so each type also lists the common properties. */
function typeSchema(definition: Definition, { name, common, hasId }: Place): JsonSchema {
  const beside = Object.keys(common).map((key) => [key, { $ref: `#/definitions/${name}.${key}` }]);
  const own = toEditorSchema(toJsonSchema(definition.input));
  const properties = { ...(own.properties as JsonSchema), ...Object.fromEntries(beside) };
  return {
    ...withFixedType({ ...own, properties }, hasId),
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
