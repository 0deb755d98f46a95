import type { KvType, KvValue } from '@millrace/contract';

/** An ISO duration; weeks, or days and below. */
const durationPattern = /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/;
export const isDuration = (text: string): boolean => durationPattern.test(text);

/** A stored value as the text of its form. */
export function textOf({ type, value }: KvValue): string {
  if (value === undefined || value === null) return '';
  if (type === 'JSON') return JSON.stringify(value, undefined, 2);
  return String(value);
}

/** What keeps a text from being a value of its type; undefined when nothing does. */
export function problemOf(
  type: KvType,
  text: string,
): 'required' | 'number' | 'json' | 'duration' | undefined {
  if (text === '' && type !== 'STRING') return 'required';
  if (type === 'NUMBER' && Number.isNaN(Number(text))) return 'number';
  if (type === 'DURATION' && !isDuration(text)) return 'duration';
  if (type === 'JSON' && !isObjectOrList(text)) return 'json';
  return undefined;
}

/**
 * The body that makes the server read the text as this type: it tells types apart by their JSON, so text is quoted and
 * everything else is sent as it is.
 */
export const bodyOf = (type: KvType, text: string): string =>
  type === 'STRING' ? JSON.stringify(text) : text;

function isObjectOrList(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
