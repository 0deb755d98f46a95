import type { TypeKind } from '@millrace/engine';
import type { Definition, Family, Group } from './definition.ts';

/** What lists, searches and checks of names need of a type, so that they work without its code. */
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
}

/** A family as the build lists it: everything that can be said without loading its code. */
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
  };
}

/** A family that is loaded when one of its types is first used; `summary` says what it has. */
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
