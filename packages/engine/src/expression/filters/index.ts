import type { Filter } from '../definition.ts';
import { listFilters } from './lists.ts';
import { textFilters } from './texts.ts';

/** Every filter by name; looked up when a template is compiled. */
export const filters: ReadonlyMap<string, Filter> = new Map(
  [textFilters, listFilters].flatMap((family) => Object.entries(family)),
);
