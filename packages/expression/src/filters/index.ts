import type { Filter } from '../definition.ts';
import { dateFilters } from './dates.ts';
import { encodingFilters } from './encodings.ts';
import { formatFilters } from './formats.ts';
import { listFilters } from './lists.ts';
import { numberFilters } from './numbers.ts';
import { regexFilters } from './regexes.ts';
import { textFilters } from './texts.ts';

/** Every filter by name, except `className`, which the compiler implements. */
export const filters: ReadonlyMap<string, Filter> = new Map(
  [
    textFilters,
    listFilters,
    numberFilters,
    dateFilters,
    encodingFilters,
    regexFilters,
    formatFilters,
  ].flatMap((family) => Object.entries(family)),
);
