import { join } from 'node:path';
import {
  type Definition,
  defineTask,
  ownPrefix,
  storageUri,
  type TaskContext,
  writeInside,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineBatch, defineQueryTrigger } from '../base/defineDatabase.ts';
import { queriesExample, queryExample } from '../base/examples.ts';
import {
  connectionProperties,
  queriesShape,
  queryMetrics,
  queryProperties,
  resultShape,
  transactionProperty,
  unusedOutputFiles,
  urlProperty,
} from '../base/properties.ts';
import { runQueries, runQuery } from '../base/runStatements.ts';
import type { Database } from '../base/session.ts';
import { type LocalFile, mysqlSyntax, openMysqlSession } from './session.ts';
import { type MysqlFlavor, readSettings } from './settings.ts';

interface Flavor extends MysqlFlavor {
  readonly name: string;
  readonly exampleUrl: string;
}

const databaseOf = (flavor: Flavor, localFile: LocalFile = { path: undefined }): Database => ({
  ...flavor,
  syntax: mysqlSyntax,
  placeholder: () => '?',
  quoteName: (name) => `\`${name.replaceAll('`', '``')}\``,
  takesScripts: (input) => readSettings(input, flavor).allowsScripts,
  open: (context, input) => openMysqlSession(context, readSettings(input, flavor), localFile),
});

const inputFileProperty = () =>
  storageUri()
    .optional()
    .describe('A file for `LOAD DATA LOCAL INFILE`; its path is `{{ inputFile }}` in the statement.');

interface FileInput {
  readonly sql: string;
  readonly afterSQL?: string | undefined;
  readonly inputFile?: string | undefined;
  readonly connectionPooling: boolean;
}

/** Copies the file into the working folder and renders the statements with its path. */
async function withInputFile<I extends FileInput>(context: TaskContext, flavor: Flavor, input: I) {
  if (input.inputFile === undefined) {
    const [sql, afterSQL] = await renderAll(context, input, {});
    return { database: databaseOf(flavor), input: { ...input, sql, afterSQL } };
  }
  const folder = await context.workingDirectory();
  const name = `${ownPrefix}input-file`;
  await writeInside(folder, name, await context.files.read(input.inputFile));
  const path = join(folder, name);
  const [sql, afterSQL] = await renderAll(context, input, { inputFile: path });
  // A connection that may read this file is not for other tasks.
  return {
    database: databaseOf(flavor, { path }),
    input: { ...input, sql, afterSQL, connectionPooling: false },
  };
}

async function renderAll(
  context: TaskContext,
  { sql, afterSQL }: FileInput,
  variables: Record<string, unknown>,
) {
  const rendered = String(await context.render(sql, variables));
  const after = afterSQL === undefined ? undefined : String(await context.render(afterSQL, variables));
  return [rendered, after] as const;
}

function defineFlavor(flavor: Flavor): Definition[] {
  const database = databaseOf(flavor);
  const properties = () => ({
    url: urlProperty(flavor.exampleUrl),
    ...connectionProperties(),
    ...queryProperties('NONE'),
    outputFiles: unusedOutputFiles(),
    inputFile: inputFileProperty(),
  });
  return [
    defineTask({
      type: `jdbc.${flavor.name}.Query`,
      title: `Run a ${flavor.title} statement`,
      description: `Runs one statement on ${flavor.title} and keeps its rows as \`fetchType\` says.`,
      input: () => z.object(properties()),
      output: () => z.object(resultShape()),
      metrics: queryMetrics,
      sideEffects: true,
      raw: ['sql', 'afterSQL'],
      examples: [queryExample(database)],
      run: async (context, written) => {
        const { database: chosen, input } = await withInputFile(context, flavor, written);
        return runQuery(context, chosen, input);
      },
    }),
    defineTask({
      type: `jdbc.${flavor.name}.Queries`,
      title: `Run several ${flavor.title} statements`,
      description: `Runs the statements of a script, separated by \`;\`, one after the other on one connection to ${flavor.title}.`,
      input: () => z.object({ ...properties(), transaction: transactionProperty() }),
      output: () => z.object(queriesShape()),
      metrics: queryMetrics,
      sideEffects: true,
      raw: ['sql', 'afterSQL'],
      examples: [queriesExample(database)],
      run: async (context, written) => {
        const { database: chosen, input } = await withInputFile(context, flavor, written);
        return runQueries(context, chosen, input);
      },
    }),
    defineQueryTrigger(database),
  ];
}

const mysql: Flavor = {
  name: 'mysql',
  title: 'MySQL',
  schemes: ['jdbc:mysql:'],
  exampleUrl: 'jdbc:mysql://localhost:3306/shop',
};

const mariadb: Flavor = {
  name: 'mariadb',
  title: 'MariaDB',
  schemes: ['jdbc:mariadb:', 'jdbc:mysql:'],
  exampleUrl: 'jdbc:mariadb://localhost:3306/shop',
};

export const mysqlTypes: readonly Definition[] = [...defineFlavor(mysql), defineBatch(databaseOf(mysql))];
export const mariadbTypes: readonly Definition[] = defineFlavor(mariadb);
