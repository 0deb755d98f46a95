import type { Condition, FilterField } from './condition.ts';

export interface ShownChip {
  /** Stays the same while a chip's operation and values change, so that its editor stays open. */
  key: string;
  field: FilterField;
  condition: Condition | undefined;
}

/** A chip for every condition, for every prominent field without one, and for a field that was just chosen. */
export function shownChips(
  fields: readonly FilterField[],
  conditions: readonly Condition[],
  draft?: FilterField,
): ShownChip[] {
  return fields.flatMap((field) => {
    const own = conditions.filter((condition) => condition.field === field.name);
    const places = own.length > 0 ? own : field.isProminent || field === draft ? [undefined] : [];
    return places.map((condition, index) => ({ key: `${field.name}:${index}`, field, condition }));
  });
}
