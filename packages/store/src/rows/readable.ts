import type { Row } from './value.ts';

/** Problems already logged: a row that is read every second is reported once. */
const told = new Set<string>();
const maxTold = 1_000;

/** Decodes rows. Unreadable rows are skipped with a warning, so that they do not hide the others. */
export function readable<T>(rows: readonly Row[], decode: (row: Row) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [decode(row)];
    } catch (error) {
      warnOnce(`A stored row cannot be read and is left out: ${String(error)}`);
      return [];
    }
  });
}

/**
 * Decodes a row. An unreadable row is built from its columns and has a `problem`, so that it can be listed
 * and deleted; it must not be used for anything else.
 */
export function salvaged<T extends object>(
  row: Row,
  decode: (row: Row) => T,
  fromColumns: (row: Row) => T,
): T & { readonly problem?: string } {
  try {
    return decode(row);
  } catch (error) {
    return { ...fromColumns(row), problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The document of a record, without the fields that only unreadable records have. */
export function toDocument(record: object): string {
  return JSON.stringify({ ...record, problem: undefined });
}

type FieldKind = 'string' | 'number' | 'boolean' | 'object' | 'list';

/**
 * Rejects JSON that is not an object, or lacks fields without which no reader can use it. Only those are
 * checked, because lists decode thousands of rows.
 */
export function parseDocument(text: unknown, fields: Readonly<Record<string, FieldKind>> = {}): unknown {
  const value: unknown = JSON.parse(String(text));
  if (!isObject(value)) throw new Error('it is no document');
  for (const [name, kind] of Object.entries(fields))
    if (!isKind(value[name], kind)) throw new Error(`its "${name}" is no ${kind}`);
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isKind(value: unknown, kind: FieldKind): boolean {
  if (kind === 'list') return Array.isArray(value);
  return kind === 'object' ? isObject(value) : typeof value === kind;
}

function warnOnce(message: string): void {
  if (told.has(message) || told.size >= maxTold) return;
  told.add(message);
  process.emitWarning(message);
}
