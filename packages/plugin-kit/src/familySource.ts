import type { TypeKind } from '@millrace/engine';
import type { Definition, Family, Group } from './definition.ts';

/** The part of a type that lists, searches and name checks need without loading its code. */
export interface TypeSummary {
  readonly type: string;
  readonly kind: TypeKind;
  readonly title: string;
  readonly aliases?: readonly string[];
  readonly deprecated?: true;
  readonly isInner?: true;
  readonly isFlowable?: true;
  readonly icon?: string;
  readonly sideEffects: boolean;
  readonly onSchedule?: boolean;
  /** The place that an additional plugin fits. */
  readonly place?: string;
}

/** A family as the build lists it: all information that is available without loading its code. */
export interface FamilySummary {
  readonly name: string;
  readonly groups: readonly Group[];
  readonly types: readonly TypeSummary[];
}

/** A family whose code is loaded when one of its types is first used. */
export interface FamilySource extends FamilySummary {
  load(type: string): Definition;
}

export function summarizeFamily({ name, groups, types }: Family): FamilySummary {
  return { name, groups, types: types.map(summarizeType) };
}

function summarizeType(definition: Definition): TypeSummary {
  const { type, kind, title, aliases = [], deprecated, isInner, icon } = definition;
  return {
    type,
    kind,
    title,
    ...(aliases.length > 0 && { aliases }),
    ...(deprecated && { deprecated }),
    ...(isInner && { isInner }),
    ...(kind === 'task' && definition.role === 'flowable' && { isFlowable: true }),
    ...(icon !== undefined && { icon }),
    sideEffects: 'sideEffects' in definition ? definition.sideEffects : true,
    ...(definition.kind === 'condition' && { onSchedule: definition.onSchedule }),
    ...(definition.kind === 'additionalPlugin' && { place: definition.place }),
  };
}

/** A family that is loaded when one of its types is first used; `summary` lists its types. */
export function lazyFamily(summary: FamilySummary, loadFamily: () => Family): FamilySource {
  let loaded: ReadonlyMap<string, Definition> | undefined;
  return {
    ...summary,
    load: (type) => {
      loaded ??= new Map(loadFamily().types.map((definition) => [definition.type, definition]));
      const definition = loaded.get(type);
      if (!definition) throw new Error(`The family ${summary.name} has no type ${type}.`);
      return definition;
    },
  };
}

/** A family that is in memory already: tests, development and the user's plugins. */
export const loadedFamily = (family: Family): FamilySource =>
  lazyFamily(summarizeFamily(family), () => family);
