import type { Issue } from '@millrace/contract';
import type { Catalogue, TypeInfo, TypeKind } from '@millrace/engine';
import { shortType } from '@millrace/engine';
import { checkProperties } from './checkProperties.ts';
import type { Definition, Group, Properties } from './definition.ts';

/** A definition with what the engine asks of every type. */
export interface CatalogueEntry extends TypeInfo {
  readonly definition: Definition;
}

/** A plugin of the user's folder, as it is listed: also when it could not be loaded. */
export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The groups that it brought. */
  readonly groups: readonly Group[];
  readonly error?: string;
}

export interface PluginCatalogue extends Catalogue {
  /** The plugins that came from the user's folder. */
  readonly plugins: readonly PluginInfo[];
  find(type: string): CatalogueEntry | undefined;
  /** The canonical name when `type` is an older name that should be replaced. */
  replacementOf(type: string): string | undefined;
  list(kind?: TypeKind): readonly Definition[];
  readonly groups: readonly Group[];
  /** The group with the longest name the type starts with. */
  groupOf(type: string): Group | undefined;
}

/** Finds definitions by type, by `io.kestra.plugin.<type>`, and by their listed aliases. */
export function createCatalogue(
  definitions: readonly Definition[],
  groups: readonly Group[] = [],
  plugins: readonly PluginInfo[] = [],
): PluginCatalogue {
  const entries = new Map<string, CatalogueEntry>();
  const aliases = new Map<string, CatalogueEntry>();
  const listed = definitions.filter((definition) => definition.isInner !== true);
  const byLength = [...groups].sort((a, b) => b.group.length - a.group.length);

  for (const definition of definitions) {
    if (entries.has(definition.type)) throw new Error(`The type ${definition.type} is defined twice.`);
    entries.set(definition.type, toEntry(definition));
  }
  for (const entry of entries.values()) {
    for (const alias of entry.definition.aliases ?? []) aliases.set(shortType(alias), entry);
  }

  return {
    groups,
    plugins,
    find: (type) => {
      const short = shortType(type);
      return entries.get(short) ?? aliases.get(short);
    },
    replacementOf: (type) => aliases.get(shortType(type))?.type,
    list: (kind) => (kind ? listed.filter((definition) => definition.kind === kind) : listed),
    groupOf: (type) => byLength.find(({ group }) => type.startsWith(`${group}.`)),
  };
}

function toEntry(definition: Definition): CatalogueEntry {
  return {
    definition,
    type: definition.type,
    kind: definition.kind,
    ...(definition.deprecated && { deprecated: true }),
    ...(definition.kind === 'condition' && { onSchedule: definition.onSchedule }),
    sideEffects: 'sideEffects' in definition ? definition.sideEffects : true,
    check: (properties) => checkAll(definition, properties),
  };
}

/** Charts, their data and storages are read as written. */
const staticKinds: ReadonlySet<TypeKind> = new Set(['chart', 'dataFilter', 'storage']);

/** Rules over several properties only apply once each property is valid by itself. */
function checkAll(definition: Definition, properties: Properties): readonly Issue[] {
  const isRendered = !staticKinds.has(definition.kind);
  const issues = checkProperties(definition.input, properties, { isRendered });
  const broken = issues.some(({ severity }) => severity === 'error' || severity === 'warning');
  return broken || !definition.check ? issues : [...issues, ...definition.check(properties)];
}
