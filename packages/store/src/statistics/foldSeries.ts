import type { Series, StatisticsQuery } from '../port/statistics.ts';
import { decodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import type { Bucket } from './calendar.ts';

/** Puts rows (`unit`, and `namespace`, `flow_id` when grouped) into the buckets of their series. */
export function foldSeries<B>(
  rows: readonly Row[],
  buckets: readonly Bucket[],
  groupBy: StatisticsQuery['groupBy'],
  makeBucket: (at: number, rows: readonly Row[]) => B,
): Series<B>[] {
  const placeOf = new Map<number, number>();
  for (const [place, { firstUnit, endUnit }] of buckets.entries()) {
    for (let unit = firstUnit; unit < endUnit; unit++) placeOf.set(unit, place);
  }
  const groups = new Map<string, { row: Row; places: Row[][] }>();
  const emptySlots = (): Row[][] => buckets.map(() => []);
  if (groupBy === undefined) groups.set('', { row: {}, places: emptySlots() });
  for (const row of rows) {
    const key =
      groupBy === undefined ? '' : JSON.stringify([row.namespace, groupBy === 'flow' ? row.flow_id : '']);
    const group = groups.get(key) ?? { row, places: emptySlots() };
    groups.set(key, group);
    const place = placeOf.get(Number(row.unit));
    if (place !== undefined) group.places[place]?.push(row);
  }
  const made = [...groups.values()].map(
    ({ row, places }): Series<B> => ({
      ...(groupBy === undefined ? {} : { namespace: decodeText(String(row.namespace)) }),
      ...(groupBy === 'flow' ? { flowId: decodeText(String(row.flow_id)) } : {}),
      buckets: buckets.map(({ at }, place) => makeBucket(at, places[place] ?? [])),
    }),
  );
  return made.sort((a, b) => compare(a.namespace, b.namespace) || compare(a.flowId, b.flowId));
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);
