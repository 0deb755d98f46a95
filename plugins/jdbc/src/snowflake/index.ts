import { type Definition, defineTask, flag, storageUri, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineDatabase } from '../base/defineDatabase.ts';
import { urlProperty } from '../base/properties.ts';
import type { Database } from '../base/session.ts';
import { SnowflakeSession, snowflakeSyntax } from './session.ts';
import { readSettings } from './settings.ts';

const exampleUrl = 'jdbc:snowflake://example.snowflakecomputing.com';

const placeProperties = () => ({
  database: text().optional().describe('The database to use.'),
  warehouse: text().optional().describe('The warehouse to use.'),
  schema: text().optional().describe('The schema to use.'),
  role: text().optional().describe('The role to use.'),
  queryTag: text().optional().describe('A tag that the history of queries shows.'),
});

const keyProperties = () => ({
  privateKey: text()
    .optional()
    .describe('A private key to log in with instead of a password, as PEM or Base64.'),
  privateKeyPassword: text().optional().describe('The password of the private key.'),
});

const snowflake: Database = {
  name: 'snowflake',
  title: 'Snowflake',
  schemes: ['jdbc:snowflake:'],
  exampleUrl,
  syntax: snowflakeSyntax,
  placeholder: () => '?',
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  takesScripts: () => true,
  isPooled: false,
  properties: () => ({ ...placeProperties(), ...keyProperties() }),
  open: async (context, input) => {
    const session = new SnowflakeSession(context, readSettings(input));
    await session.logIn();
    return session;
  },
};

const stageProperties = () => ({
  url: urlProperty(exampleUrl),
  username: text().optional().describe('The user to connect as.'),
  password: text().optional().describe("The user's password."),
  ...keyProperties(),
  ...placeProperties(),
  stageName: text().describe('The stage, such as `@my_stage` or `@~`.'),
  fileName: text().describe('The name of the file on the stage.'),
});

const stageOutput = () => z.object({ uri: z.string().describe('The file.') });

/** Files on a stage are encrypted by the client, which only the official drivers do. */
const refuse = (): never => {
  throw new TaskFailed(
    'Files cannot be moved to or from a Snowflake stage by this server: the driver "snowflake-sdk" is not part of it. Use jdbc.snowflake.SnowflakeCLI with "snow stage copy" instead.',
    { retry: false },
  );
};
const notice =
  'Flows with this type can be saved, but running it fails: the driver "snowflake-sdk" is not part of this server. Use `jdbc.snowflake.SnowflakeCLI` with `snow stage copy` instead.';

const stageExample = (kind: string, more: string) => ({
  title: 'Name a file on a stage.',
  runs: false,
  code: `id: snowflake_${kind.toLowerCase()}
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: ${kind.toLowerCase()}
    type: jdbc.snowflake.${kind}
    url: ${exampleUrl}
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    stageName: "@demo.public.%customers"
    fileName: customers.csv
${more}`,
});

const compress = () => flag().default(true).describe('The file on the stage is compressed with gzip.');

export const snowflakeTypes: readonly Definition[] = [
  ...defineDatabase(snowflake),
  defineTask({
    type: 'jdbc.snowflake.Upload',
    title: 'Upload a file to a Snowflake stage',
    description: notice,
    input: () =>
      z.object({
        ...stageProperties(),
        from: storageUri().describe('The file to upload.'),
        prefix: text().describe('The folder on the stage.'),
        compress: compress(),
      }),
    output: stageOutput,
    sideEffects: true,
    examples: [stageExample('Upload', '    prefix: data\n    from: "{{ inputs.file }}"\n')],
    run: refuse,
  }),
  defineTask({
    type: 'jdbc.snowflake.Download',
    title: 'Download a file from a Snowflake stage',
    description: notice,
    input: () => z.object({ ...stageProperties(), compress: compress() }),
    output: stageOutput,
    sideEffects: true,
    examples: [stageExample('Download', '')],
    run: refuse,
  }),
];
