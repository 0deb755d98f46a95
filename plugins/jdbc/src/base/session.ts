import type { TaskContext } from '@millrace/plugin-kit';
import type { z } from 'zod';
import type { SqlSyntax } from './lexSql.ts';

export type Row = Record<string, unknown>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** The maximum number of rows per fetch. */
  readonly fetchSize: number;
}

/** One connection to a database. */
export interface Session {
  /** Runs one statement and streams its rows. Undefined when the statement returns no result set. */
  run(statement: Statement): Promise<AsyncIterable<readonly Row[]> | undefined>;
  /** Runs a statement for each row of values and returns how many rows it changed. */
  runBatch(batch: Batch): Promise<number>;
  /** The columns of a table in their order. */
  columnsOf(table: string): Promise<readonly string[]>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Cancels the running statement on the server. */
  cancel(): Promise<void>;
  /** Discards temporary tables, settings and prepared statements, so that other tasks can use the session. */
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

/** The connection properties of a task. */
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
  /** The placeholder of batches, if it differs. */
  readonly batchPlaceholder?: (position: number) => string;
  /** Quotes any name as a SQL identifier. */
  readonly quoteName: (name: string) => string;
  /** Whether the driver accepts several statements in one text, so that Query does not count them. */
  readonly takesScripts?: (input: ConnectionInput) => boolean;
  /** There is no connection to keep between tasks, or it cannot be reset. */
  readonly isPooled?: false;
  /** Connection properties that only this database has. */
  readonly properties?: () => z.ZodRawShape;
  open(context: TaskContext, input: ConnectionInput): Promise<Session>;
}
