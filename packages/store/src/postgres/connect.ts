import { AppError } from '@millrace/contract';
import pg from 'pg';

/** Reads 64-bit integers as numbers: all stored ones (ids, milliseconds, counts) are far below 2^53. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const connectionTimeoutMs = 5_000;

/** `as`: the declaration requires each overload; the parser above covers all of them. */
export const settingsFor = (url: string): pg.PoolConfig => ({
  connectionString: url,
  types,
  connectionTimeoutMillis: connectionTimeoutMs,
  keepAlive: true,
  application_name: 'millrace',
});

/**
 * A pool that survives broken connections (the server restarts) without an uncaught error, whether idle or
 * between two statements of a transaction, and opens new ones.
 */
export function createPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...settingsFor(url), ...options });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Whether the connection failed, so that the outcome of the statement is unknown. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  // No SQLSTATE from the server, or one in the class of connection and shutdown errors.
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || code.startsWith('57P');
}

/**
 * Whether the server cannot run the statement at the moment: its disk or memory is full, it has no connection
 * left, or it is read-only, such as a standby during a failover. Nothing of the statement was done.
 */
export function isUnwilling(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (code === '25006' || /^53[0-9A-Z]{3}$/.test(code));
}

/** Marks a temporary failure as `unavailable`, so that the caller can retry. */
export const unreachable = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    isUnwilling(cause)
      ? `The database cannot do this at the moment: ${(cause as Error).message}.`
      : 'The database cannot be reached.',
    { cause },
  );

/** Converts a temporary failure to the error that callers expect. */
export const explainPassing = (error: unknown): unknown =>
  !(error instanceof AppError) && (isConnectionFailure(error) || isUnwilling(error))
    ? unreachable(error)
    : error;

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
