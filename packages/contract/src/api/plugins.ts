import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { flag } from '../paging.ts';

const Types = z.array(z.object({ cls: z.string(), deprecated: z.boolean() }));

/** A plugin, or one part of it when `subGroup` is set. Lists without types are empty, never absent. */
export const Plugin = z.object({
  /** Why a plugin of the user's folder could not be loaded. */
  error: z.string().optional(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  group: z.string(),
  subGroup: z.string().optional(),
  version: z.string(),
  license: z.string(),
  manifest: z.record(z.string(), z.string()),
  categories: z.array(z.string()),
  tasks: Types,
  triggers: Types,
  conditions: Types,
  controllers: Types,
  storages: Types,
  secrets: Types,
  taskRunners: Types,
  charts: Types,
  dataFilters: Types,
  logExporters: Types,
  aliases: Types,
  apps: Types,
  appBlocks: Types,
  additionalPlugins: Types,
  guides: z.array(z.string()),
});
export type Plugin = z.infer<typeof Plugin>;

/** `icon` is the base64 of an SVG. */
export const PluginIcon = z.object({ name: z.string(), icon: z.string(), flowable: z.boolean() });
export type PluginIcon = z.infer<typeof PluginIcon>;

/** JSON schemas of the type's `properties` and `outputs`. */
export const PluginDocument = z.looseObject({
  markdown: z.string(),
  schema: z.looseObject({
    properties: z.record(z.string(), z.unknown()).optional(),
    outputs: z.record(z.string(), z.unknown()).optional(),
    definitions: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type PluginDocument = z.infer<typeof PluginDocument>;

const Icons = z.record(z.string(), PluginIcon);
const JsonSchema = z.record(z.string(), z.unknown());

export const listPlugins = endpoint({
  method: 'GET',
  path: '/plugins',
  summary: 'Lists the plugins and the types that each brings',
  reply: z.array(Plugin),
});

export const listPluginGroups = endpoint({
  method: 'GET',
  path: '/plugins/groups/subgroups',
  summary: 'Lists the plugins, each followed by its parts',
  query: z.looseObject({ includeDeprecated: flag(true) }),
  reply: z.array(Plugin),
});

export const getPluginIcons = endpoint({
  method: 'GET',
  path: '/plugins/icons',
  summary: 'Reads the icon of every type, under each of its names',
  reply: Icons,
});

/** A tenth of the size of `getPluginIcons`. Names have no `io.kestra.plugin.` prefix. */
export const getTypeIcons = endpoint({
  method: 'GET',
  path: '/plugins/icons/types',
  summary: 'Reads every distinct icon once, and which one each type has',
  reply: z.object({ drawings: z.array(z.string()), types: z.record(z.string(), z.number().int()) }),
});

export const getGroupIcons = endpoint({
  method: 'GET',
  path: '/plugins/icons/groups',
  summary: 'Reads the icon of every plugin and of its parts',
  reply: Icons,
});

export const listInputTypes = endpoint({
  method: 'GET',
  path: '/plugins/inputs',
  summary: 'Lists the types that an input of a flow can have',
  reply: z.array(z.object({ type: z.string(), cls: z.string() })),
});

export const getInputType = endpoint({
  method: 'GET',
  path: '/plugins/inputs/{type}',
  summary: 'Reads the documentation of one input type',
  params: z.object({ type: z.string() }),
  reply: PluginDocument,
});

export const getFlowSchema = endpoint({
  method: 'GET',
  path: '/plugins/schemas/{type}',
  summary:
    'Reads the JSON Schema of flows, tasks, triggers, templates, plugin defaults or dashboards for editors',
  params: z.object({ type: z.string() }),
  query: z.looseObject({
    arrayOf: flag(false),
    /** Names every type and describes none: an editor reads the types that a text uses with `listTypeSchemas`. */
    outline: flag(false),
  }),
  reply: JsonSchema,
});

/** The schema of a type, and the definition of the outline that gets a branch to it. */
export const TypeSchema = z.object({
  type: z.string(),
  /** Every name under which a flow may write it. */
  names: z.array(z.string()),
  place: z.string(),
  branch: JsonSchema,
  schema: JsonSchema,
  /** What expressions can know: the outputs, and which properties are rendered how. */
  shape: z.object({
    outputs: JsonSchema.optional(),
    fixed: z.array(z.string()).optional(),
    raw: z.array(z.string()).optional(),
    addsVariables: z.boolean().optional(),
  }),
});
export type TypeSchema = z.infer<typeof TypeSchema>;

export const listTypeSchemas = endpoint({
  method: 'GET',
  path: '/plugins/type-schemas',
  summary: 'Reads the JSON Schemas of single types, to add them to an outline; unknown types are left out',
  query: z.looseObject({ types: z.string().max(20_000) }),
  reply: z.array(TypeSchema),
});

/** The facts about a task type that a dry run needs. */
export const TaskTypeFacts = z.object({
  type: z.string(),
  /** Every name under which a flow may write it. */
  names: z.array(z.string()),
  /** The JSON Schema of its outputs. */
  outputs: JsonSchema,
  /** Properties that are read as written. */
  fixed: z.array(z.string()),
  /** Properties that the task renders itself. */
  raw: z.array(z.string()),
  /** Its expressions can also read `workingDir` and `outputDir`. */
  hasFolder: z.boolean(),
});
export type TaskTypeFacts = z.infer<typeof TaskTypeFacts>;

export const listTaskTypes = endpoint({
  method: 'GET',
  path: '/plugins/task-types',
  summary:
    'Reads the outputs of task types and how their properties are rendered; unknown types are left out',
  query: z.looseObject({ types: z.string().max(20_000) }),
  reply: z.array(TaskTypeFacts),
});

export const getCommonProperties = endpoint({
  method: 'GET',
  path: '/plugins/properties/{type}',
  summary: 'Reads the JSON Schema of the properties that every task or every trigger has',
  params: z.object({ type: z.string() }),
  reply: JsonSchema,
});

export const getPluginDocumentation = endpoint({
  method: 'GET',
  path: '/plugins/{cls}',
  summary: 'Reads the documentation of one type',
  params: z.object({ cls: z.string() }),
  query: z.looseObject({ all: flag(false) }),
  reply: PluginDocument,
});

export const listPluginVersions = endpoint({
  method: 'GET',
  path: '/plugins/{cls}/versions',
  summary: 'Lists the versions of one type; there is one',
  params: z.object({ cls: z.string() }),
  reply: z.object({ type: z.string(), versions: z.array(z.string()) }),
});

export const getPluginVersion = endpoint({
  method: 'GET',
  path: '/plugins/{cls}/versions/{version}',
  summary: 'Reads the documentation of one type, whatever version is named',
  params: z.object({ cls: z.string(), version: z.string() }),
  query: z.looseObject({ all: flag(false) }),
  reply: PluginDocument,
});
