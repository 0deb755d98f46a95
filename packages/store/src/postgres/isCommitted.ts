import { AppError } from '@millrace/contract';
import { sql } from '../filters/sql.ts';
import type { Op } from '../port/op.ts';
import type { Queries } from '../reads/queries.ts';
import { encodeData } from '../rows/executionRow.ts';
import { encodeText } from '../rows/text.ts';

/**
 * Whether the group is in the database after the connection broke during its commit. The group is one
 * transaction, so one of its executions with our version and content proves all of it, as does a new setting.
 * Anything else proves nothing, because the server may still be committing.
 */
export async function isCommitted(ops: Iterable<Op>, read: Queries['point']): Promise<boolean> {
  for (const op of ops) {
    if (op.op === 'setting.put' && op.mustBeNew) {
      const rows = await read(sql`SELECT key FROM settings WHERE key = ${encodeText(op.key)}`);
      return rows.length === 1;
    }
    if (op.op !== 'execution.insert' && op.op !== 'execution.update') continue;
    const version = op.op === 'execution.insert' ? 1 : op.expectVersion + 1;
    const rows = await read(
      sql`SELECT data FROM executions WHERE id = ${encodeText(op.execution.id)} AND version = ${version}`,
    );
    return rows[0]?.data === encodeData(op.execution);
  }
  return false;
}

export const unknownOutcome = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'The connection to the database broke during a commit and its outcome is not known; reload before you continue.',
    { cause },
  );
