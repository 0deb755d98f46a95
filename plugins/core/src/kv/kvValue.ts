import type { KvType } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import { TaskFailed } from '@millrace/plugin-kit';

export function guessKvType(value: unknown): KvType {
  if (typeof value === 'number') return 'NUMBER';
  if (typeof value === 'boolean') return 'BOOLEAN';
  return typeof value === 'string' ? 'STRING' : 'JSON';
}

/** The value as its type wants it. Dates and durations stay text and are only checked. */
export function toKvValue(value: unknown, type: KvType): unknown {
  if (typeof value !== 'string') return type === 'STRING' ? JSON.stringify(value) : value;
  switch (type) {
    case 'NUMBER':
      return ensure(Number(value), (number) => value.trim() !== '' && !Number.isNaN(number), value, type);
    case 'BOOLEAN':
      return (
        ensure(value.trim().toLowerCase(), (word) => word === 'true' || word === 'false', value, type) ===
        'true'
      );
    case 'JSON':
      return readJson(value);
    case 'DATETIME':
    case 'DATE':
      return ensure(value.trim(), isDate, value, type);
    case 'DURATION':
      return ensure(value.trim(), (text) => parseDuration(text) !== undefined, value, type);
    default:
      return value;
  }
}

/** Whether the date exists in the calendar: JavaScript parses February 30 as a day in March. */
function isDate(text: string): boolean {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return false;
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  return day === undefined || new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

function ensure<T>(converted: T, isGood: (converted: T) => boolean, value: string, type: KvType): T {
  if (isGood(converted)) return converted;
  throw new TaskFailed(`The value "${value}" cannot be stored as ${type}.`, { retry: false });
}

function readJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new TaskFailed(`The value "${value}" cannot be stored as JSON.`, { retry: false, cause: error });
  }
}
