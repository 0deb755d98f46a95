import { AppError } from '@millrace/contract';
import { newestSchema } from '../migrations/migrations.ts';

/**
 * A newer release may migrate the database while this server runs. Every writing statement includes this
 * column, which fails once the schema is newer than this release. It fails by casting text to a number,
 * because division by zero already means that a guard failed.
 */
export const fenceColumn = `(SELECT CASE WHEN max(version) > ${newestSchema} THEN 'schema ' || max(version) ELSE '0' END
  FROM schema_version)::integer AS fence`;

/** The error for callers when that column failed; undefined for every other failure. */
export function fencedBy(error: unknown): AppError | undefined {
  const found = error instanceof Error ? /"schema (\d+)"/.exec(error.message)?.[1] : undefined;
  if (found === undefined) return undefined;
  return new AppError(
    'unavailable',
    `A newer release of Millrace has migrated the database to schema ${found}, but this server knows schemas up to ${newestSchema}, so it writes nothing more.`,
    { cause: error },
  );
}
