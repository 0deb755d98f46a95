import {
  Decimal,
  double,
  Instant,
  LocalDate,
  LocalDateTime,
  LocalTime,
  parseLocalDate,
  parseLocalDateTime,
  parseZoned,
  Real,
  Temporal,
  ZonedDateTime,
} from '@millrace/expression';
import { parseLocalTime, TaskFailed } from '@millrace/plugin-kit';
import type * as Neo4j from 'neo4j-driver-lite';

/** A value of the database as flows use it: dates keep their type, nodes and relationships are maps. */
export function toFlowValue(neo4j: typeof Neo4j, value: unknown): unknown {
  const inner = (each: unknown) => toFlowValue(neo4j, each);
  const innerMap = (map: object) =>
    Object.fromEntries(Object.entries(map).map(([key, each]) => [key, inner(each)]));
  if (typeof value === 'number') return double(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Int8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (neo4j.isNode(value)) {
    const { elementId, labels, properties } = value;
    return { elementId, labels, properties: innerMap(properties) };
  }
  if (neo4j.isRelationship(value)) {
    const { elementId, type, startNodeElementId, endNodeElementId, properties } = value;
    return { elementId, type, startNodeElementId, endNodeElementId, properties: innerMap(properties) };
  }
  if (neo4j.isPath(value))
    return {
      start: inner(value.start),
      end: inner(value.end),
      segments: value.segments.map(({ start, relationship, end }) => ({
        start: inner(start),
        relationship: inner(relationship),
        end: inner(end),
      })),
    };
  if (neo4j.isPoint(value)) {
    const { srid, x, y, z } = value;
    return { srid: Number(srid), x: double(x), y: double(y), ...(typeof z === 'number' && { z: double(z) }) };
  }
  if (neo4j.isDate(value)) return parseLocalDate(String(value)) ?? String(value);
  if (neo4j.isLocalDateTime(value)) return parseLocalDateTime(String(value)) ?? String(value);
  if (neo4j.isDateTime(value)) return parseZoned(String(value)) ?? String(value);
  if (neo4j.isLocalTime(value)) return parseLocalTime(String(value)) ?? String(value);
  // Flows have no value for a time with an offset, nor for a duration with months.
  if (neo4j.isTime(value) || neo4j.isDuration(value)) return String(value);
  if ('asTypedArray' in value && typeof value.asTypedArray === 'function')
    return Array.from(value.asTypedArray() as ArrayLike<unknown>, inner);
  return innerMap(value);
}

/** A value of a row as a parameter: whole numbers become integers, because the driver sends numbers as floats. */
export function toParameter(neo4j: typeof Neo4j, value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Real) return value.value;
  if (value instanceof Decimal) return Number(String(value));
  if (value instanceof Temporal) return toTemporal(neo4j, value);
  if (value instanceof Uint8Array) return Int8Array.from(value);
  if (Array.isArray(value)) return value.map((each) => toParameter(neo4j, each));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toParameter(neo4j, each)]));
}

function toTemporal({ types }: typeof Neo4j, value: Temporal): unknown {
  if (value instanceof LocalDate) return new types.Date(...dayOf(value.epochDay * secondsOfDay));
  if (value instanceof LocalTime) return new types.LocalTime(...clockOf(value.secondOfDay), value.nano);
  if (value instanceof LocalDateTime)
    return new types.LocalDateTime(...momentOf(value.localSecond), value.nano);
  if (value instanceof Instant) return new types.DateTime(...momentOf(value.epochSecond), value.nano, 0);
  if (value instanceof ZonedDateTime)
    return new types.DateTime(...momentOf(value.localSecond), value.nano, value.offset);
  return String(value);
}

const secondsOfDay = 86_400;

function dayOf(second: number): [number, number, number] {
  const date = new Date(second * 1000);
  if (Number.isNaN(date.getTime()))
    throw new TaskFailed('A row has a date that Neo4j cannot store.', { retry: false });
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

function clockOf(second: number): [number, number, number] {
  const ofDay = ((second % secondsOfDay) + secondsOfDay) % secondsOfDay;
  return [Math.floor(ofDay / 3600), Math.floor((ofDay % 3600) / 60), ofDay % 60];
}

const momentOf = (second: number): [number, number, number, number, number, number] => [
  ...dayOf(second),
  ...clockOf(second),
];
