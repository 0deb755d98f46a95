import { shortType, type TypeKind } from '@millrace/engine';
import type { PluginCatalogue, PluginInfo } from './catalogue.ts';
import type { Group } from './definition.ts';
import type { TypeSummary } from './familySource.ts';
import { tileIcon } from './icon.ts';
import { inputTypeInfos } from './inputTypes.ts';
import { namesOf } from './typeNames.ts';

interface ListedType {
  readonly cls: string;
  readonly deprecated: boolean;
}

/** One entry of `GET /plugins` and `GET /plugins/groups/subgroups`. */
export interface ListedPlugin {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly group: string;
  readonly subGroup?: string;
  readonly version: string;
  readonly license: string;
  readonly manifest: Readonly<Record<string, string>>;
  readonly categories: readonly string[];
  readonly tasks: readonly ListedType[];
  readonly triggers: readonly ListedType[];
  readonly conditions: readonly ListedType[];
  readonly controllers: readonly ListedType[];
  readonly storages: readonly ListedType[];
  readonly secrets: readonly ListedType[];
  readonly taskRunners: readonly ListedType[];
  readonly charts: readonly ListedType[];
  readonly dataFilters: readonly ListedType[];
  readonly logExporters: readonly ListedType[];
  readonly aliases: readonly ListedType[];
  readonly apps: readonly ListedType[];
  readonly appBlocks: readonly ListedType[];
  readonly additionalPlugins: readonly ListedType[];
  readonly guides: readonly string[];
  /** Why a plugin of the user's folder could not be loaded. */
  readonly error?: string;
}

export interface PluginIcon {
  readonly name: string;
  /** Base64 of the SVG. */
  readonly icon: string;
  readonly flowable: boolean;
}

/** One entry per plugin: the groups whose name has no dot, and the plugins that failed to load. */
export const listPlugins = (catalogue: PluginCatalogue, version: string): readonly ListedPlugin[] => [
  ...catalogue.groups.filter(isPlugin).map((group) => describeGroup(catalogue, group, version, true)),
  ...listBroken(catalogue),
];

const listBroken = ({ plugins }: PluginCatalogue): readonly ListedPlugin[] =>
  plugins.flatMap((plugin) => (plugin.error === undefined ? [] : [describeBroken(plugin, plugin.error)]));

function describeBroken({ name, version, license }: PluginInfo, error: string): ListedPlugin {
  const words = { name, title: name, description: '', group: name, version, license };
  return { ...words, error, manifest: manifestOf(words), categories: [], ...noTypes };
}

const noTypes = {
  tasks: [],
  triggers: [],
  conditions: [],
  controllers: [],
  storages: [],
  secrets: [],
  taskRunners: [],
  charts: [],
  dataFilters: [],
  logExporters: [],
  aliases: [],
  apps: [],
  appBlocks: [],
  additionalPlugins: [],
  guides: [],
} as const;

/** The plugins, each followed by its subgroups; at the end the plugins that failed to load. */
export function listSubGroups(
  catalogue: PluginCatalogue,
  version: string,
  includeDeprecated = true,
): readonly ListedPlugin[] {
  const groups = catalogue.groups;
  const loaded = groups
    .filter(isPlugin)
    .flatMap((plugin) => [plugin, ...groups.filter(({ group }) => group.startsWith(`${plugin.group}.`))])
    .map((group) => describeGroup(catalogue, group, version, includeDeprecated));
  return [...loaded, ...listBroken(catalogue)];
}

const isPlugin = ({ group }: Group): boolean => !group.includes('.');

function describeGroup(
  catalogue: PluginCatalogue,
  group: Group,
  version: string,
  includeDeprecated: boolean,
): ListedPlugin {
  const plugin =
    catalogue.groups.find((other) => isPlugin(other) && `${group.group}.`.startsWith(`${other.group}.`)) ??
    group;
  const origin = originOf(catalogue, group);
  const inside = catalogue
    .list()
    .filter(
      ({ type, deprecated }) => type.startsWith(`${group.group}.`) && (includeDeprecated || !deprecated),
    );
  const ofKind = (kind: TypeKind): ListedType[] =>
    inside
      .filter((definition) => definition.kind === kind)
      .map(({ type, deprecated }) => ({ cls: type, deprecated: deprecated === true }))
      .sort((a, b) => a.cls.localeCompare(b.cls));
  const words = {
    name: plugin.group,
    title: group.title,
    description: group.description,
    group: plugin.group,
    version: origin?.version ?? version,
    license: origin?.license ?? 'Apache-2.0',
  };
  return {
    ...words,
    ...(group !== plugin && { subGroup: group.group }),
    manifest: manifestOf(words),
    categories: group.categories,
    ...noTypes,
    tasks: ofKind('task'),
    triggers: ofKind('trigger'),
    conditions: ofKind('condition'),
    storages: ofKind('storage'),
    taskRunners: ofKind('taskRunner'),
    charts: ofKind('chart'),
    dataFilters: ofKind('dataFilter'),
    logExporters: ofKind('logExporter'),
    additionalPlugins: ofKind('additionalPlugin'),
    aliases: inside.flatMap(({ aliases = [] }) => aliases.map((cls) => ({ cls, deprecated: true }))),
  };
}

/** The keys by which clients of Kestra sort, group and name plugins. */
const manifestOf = (
  plugin: Pick<ListedPlugin, 'name' | 'title' | 'description' | 'group' | 'version' | 'license'>,
): Readonly<Record<string, string>> => ({
  'X-Kestra-Name': plugin.name,
  'X-Kestra-Title': plugin.title,
  'X-Kestra-Description': plugin.description,
  'X-Kestra-Group': plugin.group,
  'X-Kestra-Version': plugin.version,
  'X-Kestra-License': plugin.license,
});

/** The version of a type: the version of its plugin, or of Millrace. */
export function versionOf(catalogue: PluginCatalogue, type: string, productVersion: string): string {
  const group = catalogue.groupOf(catalogue.find(type)?.type ?? type);
  return (group && originOf(catalogue, group)?.version) ?? productVersion;
}

const originOf = ({ plugins }: PluginCatalogue, { group }: Group): PluginInfo | undefined =>
  plugins.find(({ groups }) => groups.some((own) => own.group === group));

const toBase64 = (svg: string): string => Buffer.from(svg, 'utf8').toString('base64');

/** The drawing of a type: its own or its group's, in the group's color. */
function drawingOf(catalogue: PluginCatalogue, { type, icon }: TypeSummary): string | undefined {
  const group = catalogue.groupOf(type);
  const svg = icon ?? group?.icon;
  return svg && tileIcon(svg, group?.group ?? type);
}

/** The icon of every type, under each name it may be written with. */
export function listIcons(catalogue: PluginCatalogue): Readonly<Record<string, PluginIcon>> {
  const icons: Record<string, PluginIcon> = {};
  for (const definition of catalogue.list()) {
    const svg = drawingOf(catalogue, definition);
    if (!svg) continue;
    for (const name of namesOf(definition)) {
      icons[name] = {
        name: name.split('.').at(-1) ?? name,
        icon: toBase64(svg),
        flowable: definition.isFlowable === true,
      };
    }
  }
  return icons;
}

/** Every drawing once, and the position of the drawing of each type. Most types share theirs with others. */
export function listDrawings(catalogue: PluginCatalogue): {
  readonly drawings: readonly string[];
  readonly types: Readonly<Record<string, number>>;
} {
  const positions = new Map<string, number>();
  const types: Record<string, number> = {};
  for (const definition of catalogue.list()) {
    const svg = drawingOf(catalogue, definition);
    if (!svg) continue;
    const position = positions.get(svg) ?? positions.size;
    positions.set(svg, position);
    for (const name of namesOf(definition)) types[shortType(name)] = position;
  }
  return { drawings: [...positions.keys()].map(toBase64), types };
}

export const listGroupIcons = (catalogue: PluginCatalogue): Readonly<Record<string, PluginIcon>> =>
  Object.fromEntries(
    catalogue.groups.flatMap(({ group, icon }) =>
      [group, `io.kestra.plugin.${group}`].map((name) => [
        name,
        { name: 'plugin-icon', icon: toBase64(tileIcon(icon, group)), flowable: false },
      ]),
    ),
  );

/** The response of `GET /plugins/inputs`, without `BOOL`, which is only an alias. */
export const listInputTypes = (): readonly { type: string; cls: string }[] =>
  Object.keys(inputTypeInfos)
    .filter((type) => type !== 'BOOL')
    .map((type) => ({ type, cls: `core.input.${type}` }));
