import { type Definition, defineTask, defineTrigger } from '@millrace/plugin-kit';
import { z } from 'zod';
import { batchExample, queriesExample, queryExample, triggerExample } from './examples.ts';
import { pollQuery } from './pollQuery.ts';
import {
  batchMetrics,
  batchProperties,
  batchShape,
  connectionProperties,
  intervalProperty,
  queriesShape,
  queryMetrics,
  queryProperties,
  resultShape,
  transactionProperty,
  unusedOutputFiles,
  urlProperty,
} from './properties.ts';
import { runBatch } from './runBatch.ts';
import { aboutScripts, runQueries, runQuery } from './runStatements.ts';
import type { Database } from './session.ts';

export interface Kinds {
  readonly queries?: boolean;
  /** The name of the type that writes rows of a file, when the database has one. */
  readonly batch?: 'Batch' | 'BulkInsert';
  /** Older names of the group, such as `vectorwise`. */
  readonly olderNames?: readonly string[];
}

/** The types of a database that is reached over the network. */
export function defineDatabase(database: Database, kinds: Kinds = {}): Definition[] {
  const { queries = true, batch } = kinds;
  return [
    defineQuery(database, kinds),
    ...(queries ? [defineQueries(database, kinds)] : []),
    ...(batch === undefined ? [] : [defineBatch(database, batch, kinds)]),
    defineQueryTrigger(database, kinds),
  ];
}

const namesOf = ({ name }: Database, { olderNames = [] }: Kinds, kind: string) => ({
  type: `jdbc.${name}.${kind}`,
  ...(olderNames.length > 0 && {
    aliases: olderNames.map((older) => `io.kestra.plugin.jdbc.${older}.${kind}`),
  }),
});

const noticeOf = ({ notice }: Database): string => (notice === undefined ? '' : ` ${notice}`);

const connection = (database: Database) => ({
  url: urlProperty(database.exampleUrl),
  ...connectionProperties(),
  ...database.properties?.(),
});

export const defineQuery = (database: Database, kinds: Kinds = {}): Definition =>
  defineTask({
    ...namesOf(database, kinds, 'Query'),
    title: `Run a ${database.title} statement`,
    description: `Runs one statement on ${database.title} and keeps its rows as \`fetchType\` says. ${aboutScripts}${noticeOf(database)}`,
    input: () =>
      z.object({
        ...connection(database),
        ...queryProperties('NONE'),
        outputFiles: unusedOutputFiles(),
      }),
    output: () => z.object(resultShape()),
    metrics: queryMetrics,
    sideEffects: true,
    examples: [queryExample(database)],
    run: (context, input) => runQuery(context, database, input),
  });

export const defineQueries = (database: Database, kinds: Kinds = {}): Definition =>
  defineTask({
    ...namesOf(database, kinds, 'Queries'),
    title: `Run several ${database.title} statements`,
    description: `Runs the statements of a script, separated by \`;\`, one after the other on one connection to ${database.title}.${noticeOf(database)}`,
    input: () =>
      z.object({
        ...connection(database),
        ...queryProperties('NONE'),
        outputFiles: unusedOutputFiles(),
        transaction: transactionProperty(),
      }),
    output: () => z.object(queriesShape()),
    metrics: queryMetrics,
    sideEffects: true,
    examples: [queriesExample(database)],
    run: (context, input) => runQueries(context, database, input),
  });

export const defineBatch = (
  database: Database,
  kind: 'Batch' | 'BulkInsert' = 'Batch',
  kinds: Kinds = {},
): Definition =>
  defineTask({
    ...namesOf(database, kinds, kind),
    title: `Write the rows of a file to ${database.title}`,
    description: `Reads a file of rows and runs one statement for each of them, in chunks that are committed one by one. Rows are read as they are needed, so the file can be of any size.${noticeOf(database)}`,
    input: () => z.object({ ...connection(database), ...batchProperties() }),
    output: () => z.object(batchShape()),
    metrics: batchMetrics,
    sideEffects: true,
    examples: [batchExample(database, kind)],
    run: (context, input) => runBatch(context, database, input),
  });

export const defineQueryTrigger = (database: Database, kinds: Kinds = {}): Definition =>
  defineTrigger({
    ...namesOf(database, kinds, 'Trigger'),
    role: 'polling',
    title: `Start an execution when a ${database.title} query returns rows`,
    description: `Runs a statement again and again and starts an execution when it returns rows. Nothing is remembered between polls, so the statement (or \`afterSQL\`) must mark the rows that were seen.${noticeOf(database)}`,
    input: () =>
      z.object({
        ...connection(database),
        ...queryProperties('FETCH'),
        interval: intervalProperty(),
      }),
    output: () => z.object(resultShape()),
    examples: [triggerExample(database)],
    poll: (context, { interval: _, ...input }) =>
      pollQuery(context, input, () => runQuery(context, database, input)),
  });
