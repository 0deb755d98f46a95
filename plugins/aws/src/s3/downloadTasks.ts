import {
  collect,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  TaskFailed,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { compatibilityProperties, connectionProperties, taskConnection } from '../client/connection.ts';
import { taskExample, triggerExample } from '../client/example.ts';
import { listObjects } from './listObjects.ts';
import { downloadObject, type FileInfo, fileInfo } from './objects.ts';
import {
  actionProperty,
  awsListProperties,
  bucketProperty,
  encryptionHeaders,
  maxFiles,
  moveIssue,
  moveToProperty,
  requestPayer,
  validateChecksum,
} from './properties.ts';
import { openS3 } from './s3.ts';
import { downloadAll, downloadsOutput, pollObjects, triggerOutput } from './transfer.ts';

const sizeMetric = {
  name: 'file.size',
  type: 'counter',
  unit: 'bytes',
  description: 'The size of a file.',
} as const;

const { filter: _, encodingType: __, ...choice } = awsListProperties;

export const s3Download = defineTask({
  type: 'aws.s3.Download',
  title: 'Download files from S3',
  description: `Copies an object to internal storage, whatever its size. With \`prefix\` or \`regexp\` instead of \`key\` it copies several objects, at most \`maxFiles\`.`,
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      key: text().optional().describe('The key of a single object.'),
      versionId: text().optional().describe('The version of a single object; the latest when absent.'),
      ...choice,
      maxFiles,
      requestPayer,
      validateChecksum,
    }),
  output: () =>
    z.object({
      ...fileInfo,
      files: z
        .record(z.string(), z.object(fileInfo))
        .optional()
        .describe('With several objects: the files by key.'),
    }),
  metrics: [sizeMetric],
  sideEffects: true,
  examples: [
    taskExample('aws.s3.Download', 'Fetch a file.', ['bucket: my-bucket', 'key: reports/today.csv']),
    taskExample('aws.s3.Download', 'Fetch all CSV files of a folder.', [
      'bucket: my-bucket',
      'prefix: reports/',
      'regexp: ".*\\\\.csv"',
    ]),
  ],
  async run(context, { key, versionId, maxFiles: limit, ...input }) {
    const s3 = await openS3(context, input);
    if (key !== undefined) return downloadObject(s3, { ...input, key, versionId });
    if (input.prefix === undefined && input.regexp === undefined && input.delimiter === undefined)
      throw new TaskFailed('One of "key", "prefix" and "regexp" must be given.', { retry: false });
    const entries = await collect(listObjects(s3, { ...input, filter: 'FILES' }), limit);
    const files: Record<string, FileInfo> = {};
    for (const entry of entries) files[entry.key] = await downloadObject(s3, { ...input, key: entry.key });
    return { files };
  },
});

export const s3Downloads = defineTask({
  type: 'aws.s3.Downloads',
  title: 'Download all objects of a folder from S3',
  description:
    'Copies objects to internal storage, at most `maxFiles`, and then moves them, deletes them or leaves them. The first one is moved only after the last one is stored.',
  check: moveIssue,
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      ...awsListProperties,
      action: actionProperty(),
      moveTo: moveToProperty(),
      maxFiles,
      requestPayer,
      validateChecksum,
    }),
  output: () => z.object(downloadsOutput),
  metrics: [
    { name: 'files.count', type: 'counter', description: 'How many objects were stored.' },
    { name: 'files.size.total', type: 'counter', unit: 'bytes', description: 'How large they are.' },
    sizeMetric,
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.s3.Downloads', 'Fetch what is in a folder and clear it.', [
      'bucket: my-bucket',
      'prefix: inbox/',
      'action: DELETE',
    ]),
  ],
  async run(context, { maxFiles: limit, ...input }) {
    const s3 = await openS3(context, input);
    const done = await downloadAll(s3, input, limit, encryptionHeaders(input.moveTo));
    const size = done.objects.reduce((sum, object) => sum + object.size, 0);
    context.metric({ name: 'files.count', type: 'counter', value: done.objects.length });
    context.metric({ name: 'files.size.total', type: 'counter', value: size });
    return done;
  },
});

export const s3Trigger = defineTrigger({
  type: 'aws.s3.Trigger',
  role: 'polling',
  title: 'Start when objects arrive in an S3 bucket',
  description: `Lists a bucket every \`interval\`, stores the objects it finds, at most \`maxFiles\`, and starts one execution for all of them. With the action
\`MOVE\` or \`DELETE\` every object counts, and it is moved or deleted after the execution is stored: nothing is lost when the server crashes
in between. With \`NONE\` the trigger remembers the objects that it has seen, and \`on\` says whether new or changed ones start an execution.`,
  check: moveIssue,
  input: () =>
    z.object({
      ...connectionProperties,
      ...compatibilityProperties,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      bucket: bucketProperty(),
      ...awsListProperties,
      action: actionProperty(),
      moveTo: moveToProperty(),
      requestPayer,
      maxFiles,
      ...triggerStateProperties,
    }),
  output: triggerOutput,
  examples: [
    triggerExample(
      'aws.s3.Trigger',
      'Process every file that arrives, and move it away.',
      ['bucket: my-bucket', 'prefix: inbox/', 'interval: PT30S', 'action: MOVE', 'moveTo:', '  key: archive'],
      "trigger.objects | jq('.[].key')",
    ),
  ],
  async poll(context, { interval: _, on, stateKey, stateTtl, maxFiles: limit, ...input }) {
    const s3 = await openS3(context, input);
    const state = { on, stateKey, stateTtl };
    return pollObjects(context, s3, { ...input, state, limit, moveHeaders: encryptionHeaders(input.moveTo) });
  },
});
