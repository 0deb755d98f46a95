import { type Definition, defineTask, flag, storageUri, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { urlProperty } from '../base/properties.ts';
import type { Database } from '../base/session.ts';
import { withSession } from '../base/withSession.ts';
import { exampleUrl, keyProperties, placeProperties } from './properties.ts';
import { SnowflakeSession } from './session.ts';
import { downloadFromStage, uploadToStage } from './stage/transfer.ts';

const stageProperties = () => ({
  url: urlProperty(exampleUrl),
  username: text().optional().describe('The user to connect as.'),
  password: text().optional().describe("The user's password."),
  ...keyProperties(),
  ...placeProperties(),
  stageName: text().describe('The stage, such as `@my_stage`, `@~` or `@%my_table`.'),
});

interface StageInput {
  readonly url: string;
  readonly [property: string]: unknown;
}

/** Logs in, and lends the session to the callback. */
const withStage = <R>(
  context: TaskContext,
  snowflake: Database,
  input: StageInput,
  use: (session: SnowflakeSession) => Promise<R>,
): Promise<R> =>
  withSession(
    context,
    snowflake,
    { ...input, connectionPooling: false, connectionPoolSize: 1 },
    async (session) => {
      // Snowflake opens sessions of this class only.
      if (!(session instanceof SnowflakeSession)) throw new Error('The session is not one of Snowflake.');
      return use(session);
    },
  );

const storage =
  'Files are encrypted and decrypted by the task with the keys of the stage, as the drivers of Snowflake do. Stages in Amazon S3, Azure and Google Cloud Storage are supported; the server must be able to reach them.';

export const stageTypes = (snowflake: Database): readonly Definition[] => [
  defineTask({
    type: 'jdbc.snowflake.Upload',
    title: 'Upload a file to a Snowflake stage',
    description: `Uploads one file to an internal stage, where \`COPY INTO\` can load it. A file with the same name is replaced. ${storage}`,
    input: () =>
      z.object({
        ...stageProperties(),
        from: storageUri().describe('The file to upload.'),
        prefix: text().describe('The folder on the stage.'),
        fileName: text().describe('The name of the file on the stage.'),
        compress: flag()
          .default(true)
          .describe('Compress the file with gzip. `.gz` is added to its name on the stage.'),
      }),
    output: () =>
      z.object({ uri: z.string().describe('The path of the file on the stage: the folder and the name.') }),
    sideEffects: true,
    examples: [
      {
        title: 'Upload a CSV file to a stage and load it into a table.',
        runs: false,
        code: `id: snowflake_upload
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: upload
    type: jdbc.snowflake.Upload
    url: ${exampleUrl}
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    database: DEMO
    schema: PUBLIC
    from: "{{ inputs.file }}"
    stageName: "@%customers"
    prefix: data
    fileName: customers.csv

  - id: load
    type: jdbc.snowflake.Query
    url: ${exampleUrl}
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    database: DEMO
    schema: PUBLIC
    warehouse: COMPUTE_WH
    sql: |
      COPY INTO customers
      FROM '@%customers/{{ outputs.upload.uri }}'
      FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1)
`,
      },
    ],
    run: async (context, input) => ({
      uri: await withStage(context, snowflake, input, (session) => uploadToStage(context, session, input)),
    }),
  }),
  defineTask({
    type: 'jdbc.snowflake.Download',
    title: 'Download a file from a Snowflake stage',
    description: `Downloads one file of an internal stage to the internal storage. ${storage}`,
    input: () =>
      z.object({
        ...stageProperties(),
        fileName: text().describe('The path of the file on the stage, such as `data/customers.csv.gz`.'),
        compress: flag()
          .default(true)
          .describe('The file on the stage is compressed with gzip; decompress it.'),
      }),
    output: () => z.object({ uri: z.string().describe('The URI of the downloaded file.') }),
    sideEffects: true,
    examples: [
      {
        title: 'Unload a table to a stage and download the file.',
        runs: false,
        code: `id: snowflake_download
namespace: company.team

tasks:
  - id: unload
    type: jdbc.snowflake.Query
    url: ${exampleUrl}
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    database: DEMO
    schema: PUBLIC
    warehouse: COMPUTE_WH
    sql: |
      COPY INTO @~/unload/customers.csv.gz FROM customers
      FILE_FORMAT = (TYPE = CSV COMPRESSION = GZIP) SINGLE = TRUE OVERWRITE = TRUE

  - id: download
    type: jdbc.snowflake.Download
    url: ${exampleUrl}
    username: "{{ secret('SNOWFLAKE_USERNAME') }}"
    password: "{{ secret('SNOWFLAKE_PASSWORD') }}"
    stageName: "@~"
    fileName: unload/customers.csv.gz
`,
      },
    ],
    run: async (context, input) => ({
      uri: await withStage(context, snowflake, input, (session) =>
        downloadFromStage(context, session, input),
      ),
    }),
  }),
];
