import type { Issue } from '@millrace/contract';
import type { Catalogue, TypeInfo, TypeIssue, TypeKind, TypeShape } from '@millrace/engine';
import { shortType } from '@millrace/engine';
import { checkProperties } from './checkProperties.ts';
import type { Definition, Group } from './definition.ts';
import type { FamilySource, TypeSummary } from './familySource.ts';
import { nearestType } from './nearestType.ts';
import { insteadOf } from './omittedTypes.ts';
import { checkParts, type KnownTypes } from './parts.ts';
import { typeShape } from './typeShape.ts';
import type { Properties } from './values.ts';

/** A type with the information that the engine needs about every type. */
export interface CatalogueEntry extends TypeInfo {
  /** Loads the family of the type when it is first read. */
  readonly definition: Definition;
}

/** A plugin of the user's folder as listed, including plugins that failed to load. */
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
  /** Every type that users may see; no family is loaded for it. */
  list(kind?: TypeKind): readonly TypeSummary[];
  /** The same types with all they have: loads every family. */
  definitions(kind?: TypeKind): readonly Definition[];
  readonly groups: readonly Group[];
  /** The group with the longest name the type starts with. */
  groupOf(type: string): Group | undefined;
}

/** Finds types by name, by `io.kestra.plugin.<type>`, and by their listed aliases. */
export function createCatalogue(
  families: readonly FamilySource[],
  plugins: readonly PluginInfo[] = [],
): PluginCatalogue {
  const entries = new Map<string, CatalogueEntry>();
  const aliases = new Map<string, CatalogueEntry>();
  const groups = families.flatMap((family) => family.groups);
  const listed = families.flatMap(({ types }) => types).filter(({ isInner }) => isInner !== true);
  const byLength = [...groups].sort((a, b) => b.group.length - a.group.length);

  const list = (kind?: TypeKind) => (kind ? listed.filter((summary) => summary.kind === kind) : listed);
  const find = (type: string) => {
    const short = shortType(type);
    return entries.get(short) ?? aliases.get(short);
  };
  const nearest = (type: string, kind: TypeKind, place?: string) =>
    nearestType(
      type,
      list(kind)
        .filter((summary) => place === undefined || summary.place === place)
        .map((summary) => summary.type),
    );
  const types: KnownTypes = { find, nearest };

  for (const family of families) {
    for (const summary of family.types) {
      const { type } = summary;
      if (entries.has(type)) throw new Error(`The type ${type} is defined twice.`);
      entries.set(type, new LazyEntry(summary, family, types));
    }
  }
  for (const family of families) {
    for (const { type, aliases: olderNames = [] } of family.types) {
      const entry = entries.get(type);
      if (entry) for (const alias of olderNames) aliases.set(shortType(alias), entry);
    }
  }

  return {
    groups,
    plugins,
    find,
    list,
    nearest: (type, kind) => nearest(type, kind),
    insteadOf,
    replacementOf: (type) => aliases.get(shortType(type))?.type,
    definitions: (kind) => list(kind).flatMap(({ type }) => find(type)?.definition ?? []),
    groupOf: (type) => byLength.find(({ group }) => type.startsWith(`${group}.`)),
  };
}

/** An entry that has its summary from the start and loads its definition on first use. */
class LazyEntry implements CatalogueEntry {
  readonly type: string;
  readonly kind: TypeKind;
  readonly sideEffects: boolean;
  readonly deprecated?: boolean;
  readonly onSchedule?: boolean;
  readonly #family: FamilySource;
  readonly #types: KnownTypes;

  constructor(summary: TypeSummary, family: FamilySource, types: KnownTypes) {
    this.type = summary.type;
    this.kind = summary.kind;
    this.sideEffects = summary.sideEffects;
    if (summary.deprecated) this.deprecated = true;
    if (summary.onSchedule !== undefined) this.onSchedule = summary.onSchedule;
    this.#family = family;
    this.#types = types;
  }

  get definition(): Definition {
    return this.#family.load(this.type);
  }

  get shape(): TypeShape {
    return typeShape(this.definition);
  }

  check(properties: Properties): readonly TypeIssue[] {
    const { definition } = this;
    return [...checkAll(definition, properties), ...checkParts(definition, properties, this.#types)];
  }
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
