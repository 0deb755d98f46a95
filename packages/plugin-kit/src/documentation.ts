import { z } from 'zod';
import type { CatalogueEntry, PluginCatalogue } from './catalogue.ts';
import { commonTaskProperties, commonTriggerProperties } from './commonProperties.ts';
import type { Definition } from './definition.ts';
import { inputTypeInfos } from './inputTypes.ts';
import { type JsonSchema, mergeSchemas, toJsonSchema } from './jsonSchema.ts';
import { documentMarkdown } from './markdown.ts';

/** The response of `GET /plugins/{cls}`. */
export interface PluginDocument {
  readonly markdown: string;
  readonly schema: {
    readonly properties: JsonSchema;
    readonly outputs?: JsonSchema;
    readonly definitions: JsonSchema;
  };
}

/** The documentation of a type; `all` adds the properties every type of its kind has. */
export function documentType(
  catalogue: PluginCatalogue,
  type: string,
  all = false,
): PluginDocument | undefined {
  const entry = catalogue.find(type);
  if (!entry) return undefined;
  const { definition } = entry;
  const properties = describeProperties(definition, all);
  const outputs = 'output' in definition ? formSchema(toJsonSchema(definition.output)) : undefined;
  return {
    markdown: documentMarkdown({
      definition,
      properties,
      ...(outputs && { outputs }),
      ...noteOf(catalogue, entry, type),
    }),
    schema: { properties, ...(outputs && { outputs }), definitions: placeDefinitions(catalogue) },
  };
}

/** The response of `GET /plugins/inputs/{type}`. */
export function documentInputType(type: string): PluginDocument | undefined {
  const info = Object.entries(inputTypeInfos).find(([name]) => name === type.toUpperCase())?.[1];
  if (!info) return undefined;
  const properties = {
    ...formSchema(toJsonSchema(info.input)),
    title: info.title,
    description: info.description,
  };
  return {
    markdown: `# ${type.toUpperCase()}\n\n${info.title}. ${info.description}\n`,
    schema: { properties, definitions: commonPlaces },
  };
}

function describeProperties(definition: Definition, all: boolean): JsonSchema {
  const own = toJsonSchema(definition.input);
  const common = all ? commonSchemas[definition.kind] : undefined;
  const schema = formSchema(common ? mergeSchemas(own, toJsonSchema(common)) : own);
  return {
    type: 'object',
    title: definition.title,
    description: definition.description,
    ...(definition.deprecated && { $deprecated: true }),
    $examples: definition.examples.map(({ title, code }) => ({ title, code, lang: 'yaml', full: true })),
    $metrics: 'metrics' in definition ? (definition.metrics ?? []) : [],
    properties: schema.properties ?? {},
    ...(schema.required !== undefined && { required: schema.required }),
  };
}

const id = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]*$/)
  .describe('The name; unique in the flow.');

const commonSchemas: Readonly<Partial<Record<Definition['kind'], z.ZodObject>>> = {
  task: z.strictObject({ id, ...commonTaskProperties }),
  trigger: z.strictObject({ id, ...commonTriggerProperties }),
};

/** The schema of the properties that all tasks or all triggers share; undefined for a kind without any. */
export function commonSchema(kind: string): JsonSchema | undefined {
  const schema = kind === 'task' || kind === 'trigger' ? commonSchemas[kind] : undefined;
  return schema && formSchema(toJsonSchema(schema));
}

/** Lets a form offer a dynamic number or switch as value or expression; texts, lists and maps accept both. */
function formSchema(json: JsonSchema): JsonSchema {
  const properties = json.properties as Record<string, JsonSchema> | undefined;
  if (!properties) return json;
  return {
    ...json,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, formProperty(formSchema(property))]),
    ),
  };
}

function formProperty(property: JsonSchema): JsonSchema {
  const { type, minimum, maximum, exclusiveMinimum, ...rest } = property;
  const isScalar = type === 'integer' || type === 'number' || type === 'boolean';
  if (!isScalar || property.$dynamic !== true) return property;
  const native = { type, minimum, maximum, exclusiveMinimum };
  return {
    ...rest,
    oneOf: [
      Object.fromEntries(Object.entries(native).filter(([, value]) => value !== undefined)),
      { type: 'string', pattern: '.*{{.*}}.*' },
    ],
  };
}

const place = (title: string, description: string): JsonSchema => ({
  type: 'object',
  title,
  description,
  properties: { type: { type: 'string' } },
  required: ['type'],
});

/** Places for other types are references, not inlined: each type has its own document. */
const commonPlaces: JsonSchema = {
  Task: place('Task', 'Any task.'),
  Trigger: place('Trigger', 'Any trigger.'),
  Condition: place('Condition', 'Any condition.'),
  TaskRunner: place('TaskRunner', 'Any task runner.'),
  LogExporter: place('LogExporter', 'Any log exporter.'),
  Chart: place('Chart', 'Any chart.'),
  DataFilter: place('DataFilter', 'Any data filter.'),
  Input: place('Input', 'Any input.'),
  Retry: place('Retry', 'How to try again: constant, exponential or random.'),
};

const placeDefinitions = (catalogue: PluginCatalogue): JsonSchema => ({
  ...commonPlaces,
  ...Object.fromEntries(
    catalogue
      .list('additionalPlugin')
      .flatMap(({ place: name }) => (name ? [[name, place(name, `Any ${name}.`)]] : [])),
  ),
});

function noteOf(catalogue: PluginCatalogue, entry: CatalogueEntry, asked: string): { note?: string } {
  const replacement = catalogue.replacementOf(asked);
  if (replacement) return { note: `\`${asked}\` is an older name of \`${replacement}\`.` };
  return entry.deprecated ? { note: `\`${entry.type}\` is deprecated.` } : {};
}
