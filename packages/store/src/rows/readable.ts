import type { Row } from './value.ts';

/** Decodes rows. Those that cannot be read are left out, with a warning: one of them must not hide the others. */
export function readable<T>(rows: readonly Row[], decode: (row: Row) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [decode(row)];
    } catch (error) {
      process.emitWarning(`A stored row cannot be read and is left out: ${String(error)}`);
      return [];
    }
  });
}
