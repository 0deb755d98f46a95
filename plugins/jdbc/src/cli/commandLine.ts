import {
  aTaskRunner,
  type Definition,
  defineTask,
  fixed,
  inputFiles,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

const shared = (image: string) => ({
  commands: listOf(text(), { min: 1 }).describe('The commands, run in order.'),
  env: mapOf(text()).optional().describe('Environment variables of the process.'),
  taskRunner: fixed(aTaskRunner())
    .optional()
    .describe('Where the process runs; a Docker container when absent.'),
  containerImage: text().default(image).describe('The image that has the program.'),
  namespaceFiles: namespaceFiles().optional(),
  inputFiles: inputFiles().optional(),
  outputFiles: outputFiles().optional(),
});

const output = () =>
  z.object({
    vars: z.record(z.string(), z.unknown()).describe('What the commands printed as `::{"outputs": {…}}::`.'),
    exitCode: z.number().nullable().describe('How the process ended; 0 is success.'),
    outputFiles: z
      .record(z.string(), z.string())
      .describe('The collected files and their URIs in internal storage.'),
    taskRunner: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Facts of the task runner, such as `containerId` of a container that keeps running.'),
  });

const docker = { type: 'scripts.runner.docker.Docker' };

const clickhouseImage = 'clickhouse/clickhouse-server:latest';
const snowflakeImage = 'ghcr.io/kestra-io/snowflake-cli';

export const clickhouseLocal = defineTask({
  type: 'jdbc.clickhouse.ClickHouseLocalCLI',
  title: 'Run clickhouse-local commands',
  description:
    'Runs SQL with `clickhouse-local` in a container, on files of the working folder and without a server.',
  input: () =>
    z.object({
      ...shared(clickhouseImage),
      beforeCommands: listOf(text()).optional().describe('Run before everything else, in the same process.'),
    }),
  output,
  sideEffects: true,
  // Rendered by the script task alone, so that the result of an expression is never rendered again.
  raw: ['commands', 'beforeCommands', 'env', 'containerImage', 'inputFiles', 'outputFiles'],
  examples: [
    {
      title: 'Query a CSV file.',
      runs: false,
      code: `id: clickhouse_local
namespace: company.team

tasks:
  - id: count
    type: jdbc.clickhouse.ClickHouseLocalCLI
    inputFiles:
      orders.csv: |
        id,amount
        1,10
    commands:
      - SELECT count() FROM file('orders.csv', CSVWithNames)
`,
    },
  ],
  run: async (context, { taskRunner = docker, ...input }) => {
    const result = await context.runNested({
      type: 'scripts.shell.Commands',
      taskRunner,
      interpreter: ['clickhouse-local', '--query'],
      ...input,
    });
    return output().parse(result);
  },
});

export const snowflakeCli = defineTask({
  type: 'jdbc.snowflake.SnowflakeCLI',
  title: 'Run Snowflake CLI commands',
  description:
    'Runs commands of the Snowflake CLI (`snow`) in a container, with a connection that is already set up.',
  input: () =>
    z.object({
      ...shared(snowflakeImage),
      account: text().describe('The Snowflake account.'),
      username: text().describe('The user to connect as.'),
      password: text().optional().describe("The user's password."),
      privateKey: text().optional().describe('A private key to log in with instead of a password, as PEM.'),
      privateKeyPassword: text().optional().describe('The password of the private key.'),
    }),
  output,
  sideEffects: true,
  // As above.
  raw: [
    'commands',
    'env',
    'containerImage',
    'inputFiles',
    'outputFiles',
    'account',
    'username',
    'password',
    'privateKey',
    'privateKeyPassword',
  ],
  examples: [
    {
      title: 'Upload a file to a stage.',
      runs: false,
      code: `id: snowflake_cli
namespace: company.team

inputs:
  - id: csv
    type: FILE

tasks:
  - id: upload
    type: jdbc.snowflake.SnowflakeCLI
    account: example
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    inputFiles:
      customers.csv: "{{ inputs.csv }}"
    commands:
      - snow stage copy customers.csv @demo.public.files
`,
    },
  ],
  run: async (
    context,
    { taskRunner = docker, account, username, password, privateKey, privateKeyPassword, env, ...input },
  ) => {
    const login =
      privateKey === undefined
        ? { SNOWFLAKE_PASSWORD: password ?? '' }
        : {
            SNOWFLAKE_AUTHENTICATOR: 'SNOWFLAKE_JWT',
            MILLRACE_PRIVATE_KEY: privateKey,
            ...(privateKeyPassword !== undefined && { PRIVATE_KEY_PASSPHRASE: privateKeyPassword }),
          };
    const result = await context.runNested({
      type: 'scripts.shell.Commands',
      taskRunner,
      ...input,
      env: { SNOWFLAKE_ACCOUNT: account, SNOWFLAKE_USER: username, ...login, ...env },
      beforeCommands: [privateKey === undefined ? addWithPassword : addWithKey],
    });
    return output().parse(result);
  },
});

const add =
  'snow connection add --connection-name default --no-interactive --default --account "$SNOWFLAKE_ACCOUNT" --user "$SNOWFLAKE_USER"';
const addWithPassword = `${add} --password "$SNOWFLAKE_PASSWORD"`;
/** The key is only in the environment and in a file outside of the working folder, never among its outputs. */
const addWithKey = `umask 077 && printf '%s' "$MILLRACE_PRIVATE_KEY" > /tmp/millrace_key.p8 && ${add} --authenticator SNOWFLAKE_JWT --private-key-file /tmp/millrace_key.p8`;

export const commandLineTypes: readonly Definition[] = [clickhouseLocal, snowflakeCli];
