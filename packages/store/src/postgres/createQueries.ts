import { AppError } from '@millrace/contract';
import type pg from 'pg';
import { postgresDialect } from '../filters/postgresDialect.ts';
import type { Sql } from '../filters/sql.ts';
import { cacheCounts } from '../reads/cachedCounts.ts';
import type { Queries } from '../reads/queries.ts';
import type { SlowQueries } from '../reads/slowQueries.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import { codeOf, isConnectionFailure, isUnwilling, unreachable } from './connect.ts';
import { numberPlaceholders } from './numberPlaceholders.ts';

const invalidPattern = '2201B';
const cancelled = '57014';

/**
 * The shared reads on a pool of connections. Reads are idempotent, so a read on a broken connection is
 * retried.
 */
export function createQueries(pool: pg.Pool, slow?: SlowQueries): Queries {
  const query = async ({ text, params }: Sql, name?: string): Promise<readonly Row[]> => {
    const statement = {
      text: numberPlaceholders(text),
      values: [...params],
      ...(name === undefined ? {} : { name }),
    };
    const startedAt = performance.now();
    try {
      return (await pool.query<Record<string, SqlValue>>(statement)).rows;
    } catch (error) {
      if (!isConnectionFailure(error)) refuse(error);
      return (await pool.query<Record<string, SqlValue>>(statement).catch(refuse)).rows;
    } finally {
      slow?.ended(text, startedAt);
    }
  };
  return {
    dialect: postgresDialect,
    point: (statement) => query(statement, nameOf(statement.text)),
    // Planned for the actual values, because the selectivity of filters varies too much.
    scan: (statement) => query(statement),
    cachedCount: cacheCounts(async (statement) => Number((await query(statement))[0]?.total ?? 0)),
  };
}

const capacity = 200;
const names = new Map<string, string>();

/**
 * Each connection parses and plans a named statement once. Statements with lists have too many forms to be
 * named.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= capacity) return known;
  const name = `millrace_read_${names.size}`;
  names.set(text, name);
  return name;
}

function refuse(error: unknown): never {
  throw isConnectionFailure(error) || isUnwilling(error) ? unreachable(error) : explain(error);
}

function explain(cause: unknown): unknown {
  switch (codeOf(cause)) {
    case invalidPattern:
      return new AppError('illegal-argument', 'The database does not support this pattern.', { cause });
    case cancelled:
      return new AppError('unavailable', 'The search took too long and was given up; narrow it down.', {
        cause,
      });
    default:
      return cause;
  }
}
