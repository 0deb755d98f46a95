import { anything, defineTask, flag, isStorageUri, listOf, text, writeInside } from '@millrace/plugin-kit';
import {
  cliProperties,
  cliTask,
  runCommands,
  runScript,
  shellQuote,
  toResult,
} from '@millrace/plugin-scripts';
import { stringify } from 'yaml';
import { z } from 'zod';

export const dltRun = defineTask({
  ...cliTask,
  type: 'dlt.Run',
  title: 'Run a dlt pipeline',
  description: `Runs a Python script that loads data with dlt. Python with the package \`dlt\` must be on the worker, or \`taskRunner\` names a
container or pod with it.`,
  input: () =>
    z.object({ script: text().describe('The Python code.'), ...cliProperties('ghcr.io/kestra-io/dlt') }),
  examples: [
    {
      title: 'Load the rows of an API into DuckDB.',
      runs: false,
      code: `id: dlt_run
namespace: company.team

tasks:
  - id: load
    type: dlt.Run
    taskRunner:
      type: scripts.runner.docker.Docker
    script: |
      import dlt
      pipeline = dlt.pipeline(pipeline_name="orders", destination="duckdb", dataset_name="shop")
      print(pipeline.run([{"id": 1}, {"id": 2}], table_name="orders"))
`,
    },
  ],
  run: (context, input) =>
    runScript(context, input, {
      lines: ["python3 '{file}'"],
      file: { extension: '.py', code: input.script },
      env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
    }),
});

export const liquibaseDiff = defineTask({
  ...cliTask,
  type: 'liquibase.Diff',
  title: 'Compare two databases with Liquibase',
  description: `Compares a database with a reference. With \`changelogFile\` the differences are written as a changelog, otherwise they are
logged. Passwords are passed in the environment.`,
  input: () =>
    z.object({
      url: text().describe('The JDBC URL of the database.'),
      username: text().optional().describe('Its user.'),
      password: text().optional().describe('The password of the user.'),
      referenceUrl: text().describe('The JDBC URL of the reference.'),
      referenceUsername: text().optional().describe('The user of the reference.'),
      referencePassword: text().optional().describe('The password of that user.'),
      changelogFile: text().optional().describe('The changelog to write, which is kept as an output file.'),
      commands: listOf(text()).default([]).describe('More commands to run after the comparison.'),
      ...cliProperties('ghcr.io/kestra-io/liquibase'),
    }),
  examples: [
    {
      title: 'Write the changes that bring production to the state of staging.',
      runs: false,
      code: `id: liquibase_diff
namespace: company.team

tasks:
  - id: diff
    type: liquibase.Diff
    taskRunner:
      type: scripts.runner.docker.Docker
    url: jdbc:postgresql://production.example.com/shop
    username: robot
    password: "{{ secret('PRODUCTION_PASSWORD') }}"
    referenceUrl: jdbc:postgresql://staging.example.com/shop
    referenceUsername: robot
    referencePassword: "{{ secret('STAGING_PASSWORD') }}"
    changelogFile: changes.xml
`,
    },
  ],
  run: (context, input) => {
    for (const secret of [input.password, input.referencePassword]) if (secret) context.masker.add(secret);
    const option = (name: string, value: string | undefined) =>
      value === undefined ? [] : [`--${name}=${shellQuote(value)}`];
    const line = [
      'liquibase',
      input.changelogFile === undefined ? 'diff' : 'diff-changelog',
      ...option('url', input.url),
      ...option('username', input.username),
      ...option('reference-url', input.referenceUrl),
      ...option('reference-username', input.referenceUsername),
      ...option('changelog-file', input.changelogFile),
    ].join(' ');
    const outputFiles = [
      ...input.outputFiles,
      ...(input.changelogFile === undefined ? [] : [input.changelogFile]),
    ];
    return runScript(
      context,
      { ...input, outputFiles },
      {
        lines: [line, ...input.commands],
        env: {
          ...(input.password !== undefined && { LIQUIBASE_COMMAND_PASSWORD: input.password }),
          ...(input.referencePassword !== undefined && {
            LIQUIBASE_COMMAND_REFERENCE_PASSWORD: input.referencePassword,
          }),
        },
      },
    );
  },
});

const stateFile = 'cloudquery-state.db';

export const cloudquerySync = defineTask({
  ...cliTask,
  type: 'cloudquery.Sync',
  title: 'Sync data with CloudQuery',
  description: `Syncs sources to destinations as the configurations say. With \`incremental\` the state of the sync is kept in the key-value
store of the namespace between executions, under the key \`cloudquery_<flow>_<task>\`; the configuration of the source must then use the
SQLite backend \`./${stateFile}\`.`,
  input: () =>
    z.object({
      configs: anything()
        .refine((value) => value !== undefined, 'must not be null')
        .describe(
          'The configurations: a list of maps, texts or URIs of files in internal storage, or one of these.',
        ),
      incremental: flag().default(false).describe('Keep the state of the sync between executions.'),
      logConsole: flag().default(true).describe('Write the log of CloudQuery to that of the task.'),
      ...cliProperties('ghcr.io/cloudquery/cloudquery:latest-ubuntu'),
    }),
  examples: [
    {
      title: 'Sync a list of projects to DuckDB.',
      runs: false,
      code: `id: cloudquery_sync
namespace: company.team

tasks:
  - id: sync
    type: cloudquery.Sync
    taskRunner:
      type: scripts.runner.docker.Docker
    env:
      CLOUDQUERY_API_KEY: "{{ secret('CLOUDQUERY_API_KEY') }}"
    configs:
      - kind: source
        spec:
          name: hackernews
          path: cloudquery/hackernews
          version: v3.0.13
          tables: ["*"]
          destinations: ["duckdb"]
      - kind: destination
        spec:
          name: duckdb
          path: cloudquery/duckdb
          version: v4.2.10
          spec:
            connection_string: hn.db
    outputFiles:
      - hn.db
`,
    },
  ],
  async run(context, input) {
    const folder = await context.workingDirectory();
    const configs = toList(input.configs);
    const names: string[] = [];
    for (const [index, config] of configs.entries()) {
      // The URI of a stored file is replaced by its local path when the command is prepared.
      if (typeof config === 'string' && isStorageUri(config)) {
        names.push(config.trim());
        continue;
      }
      const isPath = typeof config === 'string' && !config.includes('\n') && /\.ya?ml$/.test(config.trim());
      const name = isPath ? config.trim() : `cloudquery-config-${index}.yml`;
      if (!isPath) await writeInside(folder, name, typeof config === 'string' ? config : stringify(config));
      names.push(name);
    }
    const { run, kv } = context;
    const key = `cloudquery_${run.flowId}_${run.taskId}`;
    const kept = input.incremental ? await kv.get(key, run.namespace) : undefined;
    if (typeof kept === 'string') await writeInside(folder, stateFile, Buffer.from(kept, 'base64'));
    const line = [
      'cloudquery sync',
      ...names.map(shellQuote),
      ...(input.logConsole ? ['--log-console'] : []),
    ];
    const outputFiles = [...input.outputFiles, ...(input.incremental ? [stateFile] : [])];
    const end = await runCommands(context, { ...input, outputFiles }, { lines: [line.join(' ')] });
    const { [stateFile]: state, ...files } = end.outputs.outputFiles;
    if (input.incremental && state !== undefined) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await context.files.read(state)) chunks.push(chunk);
      const value = Buffer.concat(chunks).toString('base64');
      await kv.set(key, value, { namespace: run.namespace, overwrite: true, type: 'STRING' });
    }
    return toResult(end, { outputFiles: files });
  },
});

/** A map is one configuration; the JSON text of a list is a list. */
function toList(written: unknown): readonly unknown[] {
  if (typeof written === 'string' && /^\s*\[/.test(written)) {
    const read: unknown = JSON.parse(written);
    if (Array.isArray(read)) return read;
  }
  return Array.isArray(written) ? written : [written];
}
