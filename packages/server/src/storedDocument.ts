import type { StoredDocument } from '@millrace/store';
import { z } from 'zod';

/** Documents already reported: one that is read every second is reported once. */
const told = new Set<string>();
const maxTold = 1_000;

/** Milliseconds since the epoch that a `Date` can represent. */
export const StoredDate = z.number().min(-8.64e15).max(8.64e15);

/**
 * The data of a stored document; undefined, with a warning, when it does not have the shape that this release
 * writes. Such a document must not hide the others of its kind.
 */
export function dataOf<T>(schema: z.ZodType<T>, { kind, id, data }: StoredDocument): T | undefined {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const key = `${kind}/${id}`;
  if (!told.has(key) && told.size < maxTold) {
    told.add(key);
    process.emitWarning(
      `The stored record "${id}" of the kind "${kind}" cannot be read and is left out: ${z.prettifyError(parsed.error)}`,
    );
  }
  return undefined;
}
