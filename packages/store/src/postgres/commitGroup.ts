import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@millrace/contract';
import type pg from 'pg';
import { conflictOf } from '../commit/subject.ts';
import type { WrittenExecutions } from '../commit/writtenExecutions.ts';
import type { Op } from '../port/op.ts';
import type { Queries } from '../reads/queries.ts';
import { codeOf, isConnectionFailure, isUnwilling, unreachable } from './connect.ts';
import { encodeBatch } from './encodeBatch.ts';
import { fencedBy } from './fence.ts';
import { isCommitted, unknownOutcome } from './isCommitted.ts';
import { fusable } from './rowKeys.ts';

type Unit = readonly Op[];
type Result = Error | undefined;

/** A guard failed (division by zero), or a unique index was violated. */
const refusals = new Set(['22012', '23505']);
/** The server aborted a transaction because of a deadlock or serialization failure; a retry resolves it. */
const collisions = new Set(['40P01', '40001']);
const maxCollisions = 5;
const reconnectForMs = 10_000;

export interface CommitContext {
  readonly pool: pg.Pool;
  readonly queries: Queries;
  readonly written: WrittenExecutions;
  /** Called when a newer release has migrated the database: this process may not write any more. */
  readonly onFenced: (error: Error) => void;
}

/**
 * Commits units in one statement where possible. When a guard fails, the whole statement is rolled back and
 * the group is halved until the failing units are isolated; the others need only a few more statements.
 */
export async function commitGroup(units: readonly Unit[], context: CommitContext): Promise<Result[]> {
  const [only] = units;
  if (units.length === 1 && only !== undefined && !fusable(only)) return [await commitInSteps(only, context)];
  if (!units.every(fusable)) return halve(units, context);
  try {
    await runTogether(units, context);
    return units.map(() => undefined);
  } catch (error) {
    if (!refusals.has(codeOf(error) ?? '') && isGroupFailure(error)) return units.map(() => asError(error));
    if (units.length === 1)
      return [refusals.has(codeOf(error) ?? '') ? conflict(only, error) : asError(error)];
    return halve(units, context);
  }
}

async function halve(units: readonly Unit[], context: CommitContext): Promise<Result[]> {
  const middle = units.length >> 1;
  const first = await commitGroup(units.slice(0, middle), context);
  return [...first, ...(await commitGroup(units.slice(middle), context))];
}

/** Failures that do not concern a single unit. */
const isGroupFailure = (error: unknown): boolean => error instanceof AppError || isConnectionFailure(error);

async function runTogether(units: readonly Unit[], context: CommitContext): Promise<void> {
  const ops = units.flat();
  const statement = encodeBatch(ops, context.written);
  await withClient(context, ops, (client) => client.query(statement));
}

/** One statement per operation inside a transaction, for the rare unit that writes a row twice. */
async function commitInSteps(unit: Unit, context: CommitContext): Promise<Result> {
  try {
    await withClient(context, unit, async (client) => {
      await client.query('BEGIN');
      try {
        for (const op of unit) await client.query(encodeBatch([op], context.written));
        await client.query('COMMIT');
      } catch (error) {
        if (!isConnectionFailure(error)) await client.query('ROLLBACK');
        throw error;
      }
    });
    return undefined;
  } catch (error) {
    return refusals.has(codeOf(error) ?? '') ? conflict(unit, error) : asError(error);
  }
}

/**
 * Runs the work on a connection, retries it after a collision, and determines the outcome when the connection
 * broke.
 */
async function withClient(
  context: CommitContext,
  ops: Iterable<Op>,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  for (let collision = 0; ; collision++) {
    const client = await connect(context.pool);
    try {
      await work(client);
      client.release();
      return;
    } catch (error) {
      const broken = isConnectionFailure(error);
      // A read-only connection can stay read-only after the server has become writable, so it is discarded.
      client.release(broken || isUnwilling(error));
      if (broken) {
        if (await wasCommitted(ops, context)) return;
        throw unknownOutcome(error);
      }
      if (isUnwilling(error)) throw unreachable(error);
      const fenced = fencedBy(error);
      if (fenced) {
        context.onFenced(fenced);
        throw fenced;
      }
      if (!collisions.has(codeOf(error) ?? '') || collision === maxCollisions) throw error;
    }
  }
}

/**
 * After a crash before the response, asks the server for the outcome once it is back, so that the caller need
 * not guess.
 */
async function wasCommitted(ops: Iterable<Op>, { queries }: CommitContext): Promise<boolean> {
  const deadline = Date.now() + reconnectForMs;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await isCommitted(ops, queries.point);
    } catch {
      if (Date.now() > deadline) return false;
      await delay(pause);
    }
  }
}

/** Waits for a restarting server: nothing was sent yet. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  const deadline = Date.now() + reconnectForMs;
  for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
    try {
      return await pool.connect();
    } catch (cause) {
      if (!(isConnectionFailure(cause) || isUnwilling(cause)) || Date.now() > deadline) {
        throw unreachable(cause);
      }
      await delay(pause);
    }
  }
}

/** Names the operation whose unique index was violated; without one, the first guarded operation. */
function conflict(unit: Unit | undefined, error: unknown): Error {
  const table = error instanceof Error && 'table' in error ? error.table : undefined;
  const guarded = unit?.filter(isGuarded) ?? [];
  const named = table === 'execution_events' ? guarded.find((op) => op.op === 'event.append') : guarded[0];
  return conflictOf(named ?? guarded[0]);
}

const isGuarded = (op: Op): boolean =>
  op.op === 'execution.insert' ||
  op.op === 'execution.update' ||
  op.op === 'event.append' ||
  (op.op === 'execution.delete' && op.closedBefore !== undefined) ||
  op.op === 'flow.insert' ||
  op.op === 'flowTest.insert' ||
  op.op === 'flow.insertDraft' ||
  op.op === 'flow.deleteRevision' ||
  op.op === 'window.put' ||
  op.op === 'window.delete' ||
  op.op === 'flowEvent.take' ||
  op.op === 'kv.delete' ||
  op.op === 'template.delete' ||
  op.op === 'dashboard.delete' ||
  ((op.op === 'document.put' || op.op === 'document.delete') && op.expectVersion !== undefined) ||
  ((op.op === 'kv.put' || op.op === 'template.put' || op.op === 'dashboard.put') && op.mustBeNew === true) ||
  (op.op === 'setting.put' && op.mustBeNew === true) ||
  op.op === 'attempt.begin' ||
  op.op === 'attempt.want' ||
  op.op === 'folder.hold' ||
  (op.op === 'trigger.put' && (op.expectNextAt !== undefined || op.expectUpdatedAt !== undefined));

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
