import type { Row } from './value.ts';

/** Said once: whoever asks every second need not hear it every second. */
const told = new Set<string>();
const maxTold = 1_000;

/** Decodes rows. Those that cannot be read are left out, with a warning: one of them must not hide the others. */
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
 * Decodes a row. One that cannot be read is made up from its columns and says why, so that it can be seen and removed:
 * nobody should act on it otherwise.
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

/** The document of a record, without what is only known of one that could not be read. */
export function toDocument(record: object): string {
  return JSON.stringify({ ...record, problem: undefined });
}

/** Documents are objects; JSON knows other things too. */
export function parseDocument(text: unknown): unknown {
  const value: unknown = JSON.parse(String(text));
  if (typeof value !== 'object' || value === null) throw new Error('it is no document');
  return value;
}

function warnOnce(message: string): void {
  if (told.has(message) || told.size >= maxTold) return;
  told.add(message);
  process.emitWarning(message);
}
