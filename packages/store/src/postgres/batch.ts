import type { SqlValue } from '../rows/value.ts';
import { arrayLiteral } from './arrayLiteral.ts';
import type { Cte } from './cte.ts';
import { type CteName, cteNames, isCounting, parts } from './ctes.ts';
import { fenceColumn } from './fence.ts';

export interface Statement {
  /** The same name has the same text on every connection, so that it is parsed and planned once. */
  readonly name: string;
  readonly text: string;
  /** An array for each column of each part. */
  readonly values: string[];
}

/** The rows of a batch by part, turned into one statement: one round trip, one transaction. */
export class Batch {
  readonly #rows = new Map<CteName, SqlValue[][]>();

  add(name: CteName, ...row: SqlValue[]): void {
    const rows = this.#rows.get(name);
    if (rows === undefined) this.#rows.set(name, [row]);
    else rows.push(row);
  }

  /** Includes the part in the statement even when it has no rows. */
  need(name: CteName): void {
    if (!this.#rows.has(name)) this.#rows.set(name, []);
  }

  has(name: CteName): boolean {
    return this.#rows.has(name);
  }

  isCounting(): boolean {
    return [...this.#rows.keys()].some(isCounting);
  }

  toStatement(): Statement {
    const used = cteNames.filter((name) => this.#rows.has(name));
    const values = used.flatMap((name) => columnsOf(this.#rows.get(name) ?? [], parts[name].columns.length));
    // One character for each part, so that two sets of parts never share a name.
    const name = used.map((part) => String.fromCharCode(48 + cteNames.indexOf(part))).join('');
    return { name: `millrace_${name}`, text: textOf(name, used), values };
  }
}

const texts = new Map<string, string>();

function textOf(name: string, used: readonly CteName[]): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const made = composeText(used.map((part): [CteName, Cte] => [part, parts[part]]));
  texts.set(name, made);
  return made;
}

/** Divides by zero to make the statement fail when a guard does not hold. */
function composeText(used: readonly (readonly [CteName, Cte])[]): string {
  let parameter = 0;
  const guards: string[] = [];
  const leaving = used.map(([name]) => name).filter(isCounting);
  const commands = used.map(([name, { columns, command, guarded }]) => {
    const first = parameter + 1;
    const arrays = columns.map(([, type]) => `$${++parameter}::${type}[]`);
    if (guarded) guards.push(`(SELECT count(*) FROM ${name}) = cardinality($${first}::text[])`);
    return `${name} AS (${command(`unnest(${arrays.join(', ')}) u(${columns.map(([column]) => column).join(', ')})`, leaving)})`;
  });
  const holds = guards.length === 0 ? 'true' : guards.join(' AND ');
  return `WITH ${commands.join(',\n')}\nSELECT 1 / (${holds})::integer AS done, ${fenceColumn}`;
}

function columnsOf(rows: readonly (readonly SqlValue[])[], width: number): string[] {
  return Array.from({ length: width }, (_, column) => arrayLiteral(rows.map((row) => row[column] ?? null)));
}
