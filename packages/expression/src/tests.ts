import type { Test } from './definition.ts';
import { nameOf } from './definition.ts';
import { ExpressionError } from './error.ts';
import { isBlank } from './filters/lists.ts';
import { isInteger } from './numbers/number.ts';
import { areEqual } from './values/equal.ts';
import { isMap, itemsOf } from './values/kind.ts';
import { parseJson } from './values/parseJson.ts';

/** Every test (`is …`) by name, but `defined`, which must see a missing name before it fails. */
export const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['null', { names: [], run: (value) => value === null }],
  ['empty', { names: [], run: (value) => isBlank(value) }],
  ['even', { names: [], run: (value) => remainderByTwo(value, 'even') === 0n }],
  ['odd', { names: [], run: (value) => remainderByTwo(value, 'odd') !== 0n }],
  ['iterable', { names: [], run: (value) => itemsOf(value) !== null }],
  ['map', { names: [], run: (value) => isMap(value) }],
  [
    'equalTo',
    {
      names: ['value'],
      required: 1,
      run: (value, [other], { session }) => areEqual(value, other ?? null, session),
    },
  ],
  ['json', { names: [], run: (value) => typeof value === 'string' && isJson(value) }],
]);

function remainderByTwo(value: unknown, test: string): bigint {
  if (!isInteger(value)) throw new ExpressionError(`${test} needs an integer, found ${nameOf(value)}`);
  return BigInt(value) % 2n;
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
