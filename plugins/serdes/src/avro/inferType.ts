import {
  Decimal,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  Real,
  Temporal,
  ZonedDateTime,
} from '@millrace/expression';
import { type ColumnType, type Field, nullable, type PlainKind, type RecordType } from './columnType.ts';

/**
 * The type of a column inferred from the rows so far. Different types widen to a common type: integers and
 * doubles to double, dates and timestamps to timestamp, anything else to text.
 */
type Seen =
  | { readonly kind: 'nothing' }
  | { readonly kind: PlainKind }
  | { readonly kind: 'decimal'; readonly digits: number; readonly scale: number }
  | { readonly kind: 'list'; readonly item: Seen }
  | { readonly kind: 'record'; readonly fields: ReadonlyMap<string, Seen> };

const nothing: Seen = { kind: 'nothing' };

/** Learns the type of rows, row by row. */
export class TypeInference {
  #seen: Seen = nothing;

  add(row: unknown): void {
    const value = Array.isArray(row)
      ? Object.fromEntries(row.map((item, index) => [`col${index}`, item]))
      : row;
    this.#seen = widen(this.#seen, look(value));
  }

  /** A record of columns that may all be null. Names of fields are changed where the format needs it. */
  toRecord(toName: (name: string) => string): RecordType {
    const fields = this.#seen.kind === 'record' ? this.#seen.fields : new Map<string, Seen>();
    return toRecordType('Record', fields, toName);
  }
}

function look(value: unknown): Seen {
  if (value === null || value === undefined) return nothing;
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'string') return { kind: 'string' };
  if (typeof value === 'bigint')
    return BigInt.asIntN(64, value) === value
      ? { kind: 'long' }
      : { kind: 'decimal', digits: digitsOf(value), scale: 0 };
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'long' : 'double' };
  if (value instanceof Real) return { kind: 'double' };
  if (value instanceof Decimal) {
    const scale = Math.max(0, value.scale);
    return { kind: 'decimal', digits: digitsOf(value.unscaled) + scale - value.scale, scale };
  }
  if (value instanceof Uint8Array) return { kind: 'bytes' };
  if (value instanceof Temporal) return lookAtTime(value);
  if (Array.isArray(value)) return { kind: 'list', item: value.map(look).reduce(widen, nothing) };
  return { kind: 'record', fields: new Map(Object.entries(value).map(([key, inner]) => [key, look(inner)])) };
}

function lookAtTime(value: Temporal): Seen {
  const isFine = (nano: number) => nano % 1_000_000 !== 0;
  if (value instanceof LocalDate) return { kind: 'date' };
  if (value instanceof LocalTime) return { kind: isFine(value.nano) ? 'time-micros' : 'time-millis' };
  if (value instanceof LocalDateTime)
    return { kind: isFine(value.nano) ? 'local-timestamp-micros' : 'local-timestamp-millis' };
  if (value instanceof Instant || value instanceof ZonedDateTime)
    return { kind: isFine(value.nano) ? 'timestamp-micros' : 'timestamp-millis' };
  return { kind: 'string' };
}

const digitsOf = (value: bigint): number => String(value < 0n ? -value : value).length;

/** Pairs of kinds that have a common wider one. */
const wider = new Map<string, PlainKind>([
  ['double+long', 'double'],
  ['decimal+double', 'double'],
  ['date+timestamp-millis', 'timestamp-millis'],
  ['date+timestamp-micros', 'timestamp-micros'],
  ['date+local-timestamp-millis', 'local-timestamp-millis'],
  ['date+local-timestamp-micros', 'local-timestamp-micros'],
  ['time-micros+time-millis', 'time-micros'],
  ['timestamp-micros+timestamp-millis', 'timestamp-micros'],
  ['local-timestamp-micros+local-timestamp-millis', 'local-timestamp-micros'],
]);

function widen(a: Seen, b: Seen): Seen {
  if (a.kind === 'nothing') return b;
  if (b.kind === 'nothing') return a;
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', item: widen(a.item, b.item) };
  if (a.kind === 'record' && b.kind === 'record')
    return { kind: 'record', fields: widenFields(a.fields, b.fields) };
  const [left, right] = [asDecimal(a), asDecimal(b)];
  if (left && right && (a.kind === 'decimal' || b.kind === 'decimal')) {
    const scale = Math.max(left.scale, right.scale);
    const whole = Math.max(left.digits - left.scale, right.digits - right.scale);
    return { kind: 'decimal', digits: whole + scale, scale };
  }
  if (a.kind === b.kind) return a;
  return { kind: wider.get([a.kind, b.kind].sort().join('+')) ?? 'string' };
}

function asDecimal(seen: Seen): { digits: number; scale: number } | undefined {
  if (seen.kind === 'decimal') return seen;
  return seen.kind === 'long' ? { digits: 19, scale: 0 } : undefined;
}

function widenFields(a: ReadonlyMap<string, Seen>, b: ReadonlyMap<string, Seen>): Map<string, Seen> {
  const fields = new Map(a);
  for (const [key, seen] of b) fields.set(key, widen(fields.get(key) ?? nothing, seen));
  return fields;
}

function toRecordType(
  name: string,
  fields: ReadonlyMap<string, Seen>,
  toName: (name: string) => string,
): RecordType {
  const taken = new Set<string>();
  const made: Field[] = [...fields].map(([key, seen]) => {
    let chosen = toName(key);
    for (let copy = 2; taken.has(chosen); copy++) chosen = `${toName(key)}_${copy}`;
    taken.add(chosen);
    const type = nullable(toType(`${name}_${toAvroName(key)}`, seen, toName));
    return { name: chosen, aliases: chosen === key ? [] : [key], type, default: null };
  });
  return { kind: 'record', name, fields: made };
}

function toType(name: string, seen: Seen, toName: (name: string) => string): ColumnType {
  switch (seen.kind) {
    case 'nothing':
      return { kind: 'string' };
    case 'decimal':
      // Rows that were not sampled may be larger, so the precision is the maximum of Parquet and most
      // databases.
      return seen.digits > 38 ? { kind: 'string' } : { kind: 'decimal', precision: 38, scale: seen.scale };
    case 'list':
      return { kind: 'list', item: nullable(toType(`${name}_item`, seen.item, toName)) };
    case 'record':
      return seen.fields.size === 0
        ? { kind: 'map', value: nullable({ kind: 'string' }) }
        : toRecordType(name, seen.fields, toName);
    default:
      return { kind: seen.kind };
  }
}

/** A name that Avro accepts. */
export const toAvroName = (name: string): string =>
  name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
