import {
  collectOutputFiles,
  type Definition,
  defineTask,
  defineTrigger,
  flag,
  type TaskContext,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { afterScheme } from '../base/jdbcUrl.ts';
import type { KeptRows } from '../base/keepRows.ts';
import { pollQuery } from '../base/pollQuery.ts';
import {
  connectionProperties,
  fileShape,
  intervalProperty,
  outputFilesProperty,
  queriesShape,
  queryMetrics,
  queryProperties,
  resultShape,
  transactionProperty,
} from '../base/properties.ts';
import { aboutScripts, type StatementInput, statementsOf } from '../base/runStatements.ts';
import { prepareDatabaseFile, storeDatabaseFile } from './databaseFile.ts';
import { type EmbeddedDatabase, runEmbedded } from './runEmbedded.ts';

export interface EmbeddedInput extends StatementInput {
  readonly url: string;
  readonly outputFiles?: readonly string[] | undefined;
  readonly outputDbFile: boolean;
  readonly transaction?: boolean;
  /** Properties of one database, such as `inputFiles`. */
  readonly [property: string]: unknown;
}

/** An embedded database as the types use it. */
export interface EmbeddedKind extends EmbeddedDatabase {
  readonly name: string;
  readonly schemes: readonly string[];
  /** The URL without which a task gets its own database. */
  readonly url: () => z.ZodType<string>;
  readonly properties: () => z.ZodRawShape;
  readonly examples: Readonly<Record<'query' | 'queries' | 'trigger', Definition['examples']>>;
  /** The stored database to start from. */
  storedDatabase(input: EmbeddedInput): string | undefined;
  extensions(input: EmbeddedInput): readonly string[];
  prepare(context: TaskContext, input: EmbeddedInput): Promise<void>;
}

/** Query, Queries and Trigger of a database that lives in a file. */
export function defineEmbedded(kind: EmbeddedKind): Definition[] {
  const properties = (fetchType: 'NONE' | 'FETCH') => ({
    url: kind.url(),
    ...connectionProperties(),
    ...queryProperties(fetchType),
    ...kind.properties(),
    outputFiles: outputFilesProperty(),
    outputDbFile: flag()
      .default(false)
      .describe('Store the database file after the statements, as `databaseUri`.'),
  });
  const aboutFiles = 'Runs in its own process, in the working folder of the task.';
  return [
    defineTask({
      type: `jdbc.${kind.name}.Query`,
      title: `Run a ${kind.title} statement`,
      description: `Runs one statement on ${kind.title} and keeps its rows as \`fetchType\` says. ${aboutScripts} ${aboutFiles}`,
      input: () => z.object(properties('NONE')),
      output: () => z.object({ ...fileShape(), ...resultShape() }),
      metrics: queryMetrics,
      sideEffects: true,
      raw: ['sql', 'afterSQL'],
      examples: kind.examples.query,
      run: async (context, input) => {
        const { kept, files } = await runStatements(context, kind, input, true);
        return { ...kept.at(-1), ...files };
      },
    }),
    defineTask({
      type: `jdbc.${kind.name}.Queries`,
      title: `Run several ${kind.title} statements`,
      description: `Runs the statements of a script, separated by \`;\`, one after the other. ${aboutFiles}`,
      input: () => z.object({ ...properties('NONE'), transaction: transactionProperty() }),
      output: () => z.object({ ...fileShape(), ...queriesShape() }),
      metrics: queryMetrics,
      sideEffects: true,
      raw: ['sql', 'afterSQL'],
      examples: kind.examples.queries,
      run: async (context, input) => {
        const { kept, files } = await runStatements(context, kind, input, false);
        return { outputs: kept, ...files };
      },
    }),
    defineTrigger({
      type: `jdbc.${kind.name}.Trigger`,
      role: 'polling',
      title: `Start an execution when a ${kind.title} query returns rows`,
      description:
        'Runs a statement again and again and starts an execution when it returns rows. Nothing is remembered between polls.',
      input: () => z.object({ ...properties('FETCH'), interval: intervalProperty() }),
      output: () => z.object(resultShape()),
      raw: ['sql', 'afterSQL'],
      examples: kind.examples.trigger,
      poll: (context, { interval: _, ...input }) =>
        pollQuery(
          context,
          input,
          async () => (await runStatements(context, kind, input, true)).kept.at(-1) ?? {},
        ),
    }),
  ];
}

interface StatementsResult {
  readonly kept: KeptRows[];
  readonly files: { outputFiles?: Record<string, string>; databaseUri?: string };
}

async function runStatements(
  context: TaskContext,
  kind: EmbeddedKind,
  input: EmbeddedInput,
  isSingle: boolean,
): Promise<StatementsResult> {
  const workingDir = await context.workingDirectory();
  const written = afterScheme(input.url, kind.schemes, kind.title);
  const database = await prepareDatabaseFile(context, written, kind.storedDatabase(input));
  await kind.prepare(context, input);
  const names = input.outputFiles ?? [];
  const variables = {
    workingDir,
    dbFilePath: database.path,
    outputFiles: Object.fromEntries(names.map((name) => [name, `${workingDir}/${name}`])),
  };
  const render = async (sql: string) => String(await context.render(sql, variables));
  const split = async (sql: string) => statementsOf(await render(sql), kind.syntax);
  const statements = await split(input.sql);
  const after = input.afterSQL === undefined ? [] : await split(input.afterSQL);
  const kept = await runEmbedded(context, kind, input, {
    path: database.path,
    statements,
    after,
    transaction: isSingle ? after.length > 0 : input.transaction === true,
    extensions: kind.extensions(input),
  });
  return {
    kept,
    files: {
      ...(names.length > 0 && { outputFiles: await collectOutputFiles(context, workingDir, names) }),
      ...(input.outputDbFile && { databaseUri: await storeDatabaseFile(context, database) }),
    },
  };
}
