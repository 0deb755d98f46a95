import type { Native } from './evaluate.ts';
import { dateNatives } from './natives/dates.ts';
import { flowNatives } from './natives/flow.ts';
import { listNatives } from './natives/lists.ts';
import { mathNatives } from './natives/math.ts';
import { regexNatives } from './natives/regexes.ts';
import { textNatives } from './natives/texts.ts';

/** Built-in functions by name and number of arguments: `sort_by/1`. */
export const natives: ReadonlyMap<string, Native> = new Map(
  [flowNatives, listNatives, textNatives, mathNatives, regexNatives, dateNatives].flatMap((family) =>
    Object.entries(family),
  ),
);
