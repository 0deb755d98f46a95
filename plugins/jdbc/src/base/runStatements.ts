import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { bindParameters } from './bindParameters.ts';
import { countRows, type FetchChoice, fetchTypeOf, type KeptRows, keepRows } from './keepRows.ts';
import type { SqlSyntax } from './lexSql.ts';
import type { ConnectionInput, Database, Session } from './session.ts';
import { splitStatements, startsTransaction } from './splitStatements.ts';
import { checkZone } from './timeZone.ts';
import { withSession } from './withSession.ts';

export interface StatementInput extends FetchChoice {
  readonly sql: string;
  readonly afterSQL?: string | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly fetchSize: number;
  readonly timeZoneId?: string | undefined;
}

export type QueryInput = ConnectionInput & StatementInput;

/** What a Query does with a script, for the descriptions of its types. */
export const aboutScripts =
  'Several statements, separated by `;`, run in order, and the rows of the last one that returns any are kept.';

/** The statements of a script. A server that takes scripts gets the whole text as one. */
export function statementsOf(sql: string, syntax: SqlSyntax, takesScripts = false): string[] {
  const statements = splitStatements(sql, syntax);
  if (statements.length === 0) throw new TaskFailed('"sql" holds no statement.', { retry: false });
  return takesScripts && statements.length > 1 ? [sql] : statements;
}

/**
 * Runs one statement, and `afterSQL` with it in one transaction. Several statements run in order, and
 * the rows of the last one that returns any are kept: flows load extensions before they query.
 */
export async function runQuery(
  context: TaskContext,
  database: Database,
  input: QueryInput,
): Promise<KeptRows> {
  const { syntax } = database;
  if (input.timeZoneId !== undefined) checkZone(input.timeZoneId);
  const takesScripts = database.takesScripts?.(input) ?? false;
  const statements = statementsOf(input.sql, syntax, takesScripts);
  const after = input.afterSQL === undefined ? undefined : statementsOf(input.afterSQL, syntax, takesScripts);
  return withSession(context, database, input, async (session) => {
    const runAll = async () => {
      let kept: KeptRows | undefined;
      for (const sql of statements) kept = (await runOne(context, database, session, input, sql)) ?? kept;
      return kept ?? {};
    };
    if (after === undefined) return runAll();
    return inTransaction(session, async () => {
      const kept = await runAll();
      for (const sql of after) await runOne(context, database, session, { ...input, ...keepNothing }, sql);
      return kept;
    });
  });
}

const keepNothing = { fetchType: 'NONE', store: false, fetch: false, fetchOne: false } as const;

/** Runs the statements of a script one after the other. */
export async function runQueries(
  context: TaskContext,
  database: Database,
  input: QueryInput & { readonly transaction: boolean },
): Promise<{ outputs: KeptRows[] }> {
  if (input.timeZoneId !== undefined) checkZone(input.timeZoneId);
  const statements = statementsOf(input.sql, database.syntax);
  const after = input.afterSQL === undefined ? [] : splitStatements(input.afterSQL, database.syntax);
  return withSession(context, database, input, async (session) => {
    const runAll = async () => {
      const outputs: KeptRows[] = [];
      for (const sql of statements) {
        const kept = await runOne(context, database, session, input, sql);
        if (kept) outputs.push(kept);
      }
      for (const sql of after) await runOne(context, database, session, { ...input, ...keepNothing }, sql);
      return { outputs };
    };
    const isWrapped = input.transaction && !statements.some(startsTransaction);
    return isWrapped ? inTransaction(session, runAll) : runAll();
  });
}

async function runOne(
  context: TaskContext,
  { syntax, placeholder }: Database,
  session: Session,
  input: StatementInput,
  sql: string,
): Promise<KeptRows | undefined> {
  context.signal.throwIfAborted();
  const fetchType = fetchTypeOf(input);
  const bound = bindParameters(sql, input.parameters, syntax, placeholder);
  const batches = await session.run({ ...bound, fetchSize: input.fetchSize });
  if (!batches) return undefined;
  const kept = await keepRows(context, fetchType, batches);
  countRows(context, fetchType, kept);
  return kept;
}

/** Commits when the work succeeds, and rolls back when it fails. */
export async function inTransaction<R>(session: Session, work: () => Promise<R>): Promise<R> {
  await session.begin();
  try {
    const result = await work();
    await session.commit();
    return result;
  } catch (error) {
    // The original error is reported; a lost connection has rolled back already.
    await session.rollback().catch(() => {});
    throw error;
  }
}
