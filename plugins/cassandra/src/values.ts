import { Decimal, double, findZone, parseLocalDate, type Zone, ZonedDateTime } from '@millrace/expression';
import { messageOf, parseLocalTime, TaskFailed } from '@millrace/plugin-kit';
import type * as Cassandra from 'cassandra-driver';

export type ReadValue = (value: unknown, code?: number) => unknown;

/** How values of the database become values of flows: ids and addresses are texts, dates keep their type. */
export function valueReader({ types }: typeof Cassandra, timeZoneId?: string): ReadValue {
  const zone = timeZoneId === undefined ? undefined : readZone(timeZoneId);
  const read: ReadValue = (value, code) => {
    if (typeof value === 'number')
      return code === types.dataTypes.double || code === types.dataTypes.float ? double(value) : value;
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (value instanceof Date) return zone ? inZone(value, zone) : value;
    if (value instanceof Uint8Array) return value;
    if (Array.isArray(value)) return value.map((each) => read(each));
    if (value instanceof types.LocalDate) return parseLocalDate(String(value)) ?? String(value);
    if (value instanceof types.LocalTime) return parseLocalTime(String(value)) ?? String(value);
    if (value instanceof types.BigDecimal) return Decimal.parse(String(value)) ?? String(value);
    if (value instanceof types.Tuple) return value.values().map((each: unknown) => read(each));
    if (
      value instanceof types.Uuid ||
      value instanceof types.InetAddress ||
      value instanceof types.Duration ||
      value instanceof types.Long ||
      value instanceof types.Integer
    )
      return String(value);
    if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, (each) => read(each));
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, read(each)]));
  };
  return read;
}

function readZone(id: string): Zone {
  try {
    return findZone(id);
  } catch (error) {
    throw new TaskFailed(`"timeZoneId" cannot be used: ${messageOf(error)}`, { retry: false });
  }
}

function inZone(date: Date, zone: Zone): ZonedDateTime {
  const second = Math.floor(date.getTime() / 1000);
  return new ZonedDateTime(second, (date.getTime() - second * 1000) * 1_000_000, zone);
}
