import { AppError, type KvType } from '@millrace/contract';
import { parseJson } from '../parseJson.ts';

export interface TypedKvValue {
  readonly type: KvType;
  readonly value: unknown;
}

const date = /^\d{4}-\d\d-\d\d$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const duration = /^P(?=[\dT])(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/;

/** Parses a text into a value: JSON, a date, a duration, or the text itself. */
export function readKvText(text: string): TypedKvValue {
  const trimmed = text.trim();
  if (date.test(trimmed) && isRealDate(trimmed)) return { type: 'DATE', value: trimmed };
  if (dateTime.test(trimmed) && isRealDate(trimmed.slice(0, 10)) && !Number.isNaN(Date.parse(trimmed))) {
    return { type: 'DATETIME', value: toInstant(trimmed) };
  }
  if (duration.test(trimmed)) return { type: 'DURATION', value: trimmed };
  // Only a text that begins like one of these is meant as JSON; anything else is a text for its own sake.
  if (!/^[{["\d-]|^(?:true|false|null)$/.test(trimmed)) return { type: 'STRING', value: text };
  const isMeant = /^[{["]/.test(trimmed);
  return isMeant ? typed(parseJson(trimmed)) : (readScalar(trimmed) ?? { type: 'STRING', value: text });
}

function readScalar(text: string): TypedKvValue | undefined {
  try {
    return typed(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function typed(value: unknown): TypedKvValue {
  switch (typeof value) {
    case 'string':
      return { type: duration.test(value) ? 'DURATION' : 'STRING', value };
    case 'number':
      if (!Number.isFinite(value)) throw new AppError('illegal-argument', 'the number is too large');
      return { type: 'NUMBER', value };
    case 'boolean':
      return { type: 'BOOLEAN', value };
    default:
      return value === null ? { type: 'STRING', value } : { type: 'JSON', value };
  }
}

/** The 30th of February is a text, not a date. */
function isRealDate(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

function toInstant(text: string): string {
  const instant = text.endsWith('Z') ? text : new Date(text).toISOString();
  return instant.replace(/(?:(\.\d*?[1-9])|\.)0+Z$/, '$1Z');
}
