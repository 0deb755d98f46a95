import { AppError } from '@millrace/contract';
import pg from 'pg';

/** 64-bit integers as numbers: every one the store keeps (ids, milliseconds, counts) is far below 2^53. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

const connectionTimeoutMs = 5_000;

/** `as`: the declaration wants each overload; the parser above answers all of them. */
export const settingsFor = (url: string): pg.PoolConfig => ({
  connectionString: url,
  types,
  connectionTimeoutMillis: connectionTimeoutMs,
  keepAlive: true,
  application_name: 'millrace',
});

/**
 * A pool whose connections may break (the server restarts) without an uncaught error, idle or between two statements of a
 * transaction; it opens new ones.
 */
export function createPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...settingsFor(url), ...options });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Whether the failure is one of the connection, so that nobody knows what the server did with the statement. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  // Without a code of the server's own, or in the class of connection and shutdown errors.
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || code.startsWith('57P');
}

/**
 * Whether the server cannot do it at the moment: its disk or memory is full, it has no connection left, or it may only be
 * read, as one that is about to take over. Nothing of the statement was done.
 */
export function isUnwilling(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (code === '25006' || /^53[0-9A-Z]{3}$/.test(code));
}

/** What is passing is told apart from what is wrong: whoever asked may ask again. */
export const unreachable = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    isUnwilling(cause)
      ? `The database cannot do this at the moment: ${(cause as Error).message}.`
      : 'The database cannot be reached.',
    { cause },
  );

/** The failure as callers know it. */
export const explainPassing = (error: unknown): unknown =>
  !(error instanceof AppError) && (isConnectionFailure(error) || isUnwilling(error))
    ? unreachable(error)
    : error;

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
