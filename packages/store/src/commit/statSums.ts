import type { SqlValue } from '../rows/value.ts';

/**
 * The roll-up of a group: one sum per day, namespace, flow and state. Rows are collected per unit and kept or dropped
 * with it. A row is `[day, namespace, flow, state, count, duration]`.
 */
export class StatSums {
  readonly #sums = new Map<string, SqlValue[]>();
  #unit: (readonly SqlValue[])[] = [];

  add(row: readonly SqlValue[]): void {
    this.#unit.push(row);
  }

  drop(): void {
    this.#unit = [];
  }

  keep(): void {
    for (const row of this.#unit) {
      // The lengths keep apart what would otherwise read the same; ten times cheaper than JSON.
      const [day, namespace, flow, state] = row.map(String) as [string, string, string, string];
      const key = `${day} ${state} ${namespace.length} ${namespace}${flow}`;
      const sum = this.#sums.get(key);
      if (sum === undefined) this.#sums.set(key, [...row]);
      else {
        sum[4] = Number(sum[4]) + Number(row[4]);
        sum[5] = Number(sum[5]) + Number(row[5]);
      }
    }
    this.#unit = [];
  }

  *rows(): Iterable<SqlValue[]> {
    for (const row of this.#sums.values()) if (row[4] !== 0 || row[5] !== 0) yield row;
  }
}
