import type { TaskContext } from '@millrace/plugin-kit';
import type { z } from 'zod';
import type { SqlSyntax } from './lexSql.ts';

export type Row = Record<string, unknown>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The most rows to ask the server for at once. */
  readonly fetchSize: number;
}

/** One connection to a database. */
export interface Session {
  /** Runs one statement; the rows are read while they are iterated. Nothing when it returns no result set. */
  run(statement: Statement): Promise<AsyncIterable<readonly Row[]> | undefined>;
  /** Runs a statement for each row of values and returns how many rows it changed. */
  runBatch(batch: Batch): Promise<number>;
  /** The columns of a table in their order. */
  columnsOf(table: string): Promise<readonly string[]>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Asks the server to stop the statement that runs. */
  cancel(): Promise<void>;
  /** Forgets temporary tables, settings and prepared statements, so that another task can use the connection. */
  reset(): Promise<void>;
  /** Closes the connection; never throws. */
  close(): Promise<void>;
  /** A connection that waits in the pool does not keep the process alive. */
  setIdle(isIdle: boolean): void;
}

export interface Batch {
  readonly sql: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** What the connection properties of a task say. */
export interface ConnectionInput {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly timeZoneId?: string | undefined;
  readonly connectionPooling: boolean;
  readonly connectionPoolSize: number;
  /** Properties of one database, such as `sslMode`. */
  readonly [property: string]: unknown;
}

/** A database that is reached over the network. */
export interface Database {
  /** The part of the type after `jdbc.`. */
  readonly name: string;
  readonly title: string;
  /** How its URLs begin, such as `jdbc:postgresql:`. */
  readonly schemes: readonly string[];
  readonly exampleUrl: string;
  /** A sentence for the documentation of each of its types. */
  readonly notice?: string;
  readonly syntax: SqlSyntax;
  readonly placeholder: (position: number) => string;
  /** The placeholder of batches, where it differs. */
  readonly batchPlaceholder?: (position: number) => string;
  /** A name as SQL, whatever characters it has. */
  readonly quoteName: (name: string) => string;
  /** The driver takes several statements in one text, so that Query does not count them. */
  readonly takesScripts?: (input: ConnectionInput) => boolean;
  /** There is no connection to keep between tasks, or it cannot be reset. */
  readonly isPooled?: false;
  /** Connection properties that only this database has. */
  readonly properties?: () => z.ZodRawShape;
  open(context: TaskContext, input: ConnectionInput): Promise<Session>;
}
