/**
 * PostgreSQL refuses NUL in text, SQLite's functions stop at it, and both turn a lone surrogate into U+FFFD.
 * Such texts are rare, must not be lost and must not break a commit: they are kept as a marker and their JSON form,
 * which holds neither. The marker itself is escaped the same way, so that every text has one form.
 */
const marker = '\u0001';
const unsafe = /[\0\p{Cs}]/u;

export function encodeText(text: string): string {
  return text.charCodeAt(0) === 1 || unsafe.test(text) ? marker + JSON.stringify(text) : text;
}

export function decodeText(stored: string): string {
  return stored.charCodeAt(0) === 1 ? (JSON.parse(stored.slice(1)) as string) : stored;
}

export const encodeOptional = (text: string | undefined): string | null =>
  text === undefined ? null : encodeText(text);
