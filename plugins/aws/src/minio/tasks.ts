import {
  collect,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  integer,
  part,
  text,
  triggerStateProperties,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { fileInput, taskExample, triggerExample } from '../client/example.ts';
import { listObjects, listVersions } from '../s3/listObjects.ts';
import {
  addressOf,
  deleteObject,
  deleteObjects,
  downloadObject,
  objectOutput,
  toObjectOutput,
} from '../s3/objects.ts';
import { copyOrMove, copyOutput, createBucket, realObjects } from '../s3/objectTasks.ts';
import { actionProperty, bucketProperty, listProperties, moveIssue } from '../s3/properties.ts';
import {
  deleteAll,
  downloadAll,
  downloadsOutput,
  pollObjects,
  triggerOutput,
  uploadFiles,
  uploadOutput,
} from '../s3/transfer.ts';
import { metadataHeaders, metadataProperty, sourceProperty } from '../s3/uploadTask.ts';
import { minioConnection, openMinio } from './connection.ts';

const sizeMetric = {
  name: 'file.size',
  type: 'counter',
  unit: 'bytes',
  description: 'The size of a file.',
} as const;

const upload = defineTask({
  type: 'minio.Upload',
  title: 'Upload files to MinIO',
  description:
    'Stores files of internal storage in a bucket, whatever their size. A single file gets exactly the key; several files are stored below it as `<key>/<name>`.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      key: text()
        .optional()
        .describe('The key of a single file, or the folder of several; the name of the file when absent.'),
      from: sourceProperty(),
      contentType: text().optional().describe('The media type.'),
      metadata: metadataProperty(),
    }),
  output: () => z.object(uploadOutput),
  metrics: [
    { name: 'file.count', type: 'counter', description: 'How many files were uploaded.' },
    sizeMetric,
  ],
  sideEffects: true,
  examples: [
    taskExample(
      'minio.Upload',
      'Store a file in a bucket.',
      ['bucket: my-bucket', 'key: reports/today.csv', 'from: "{{ inputs.file }}"'],
      fileInput,
    ),
  ],
  run: async (context, { bucket, key, from, contentType, metadata, ...connection }) =>
    uploadFiles(await openMinio(context, connection), {
      bucket,
      key,
      from,
      concurrency: 8,
      headers: { 'content-type': contentType, ...metadataHeaders(metadata) },
    }),
});

const download = defineTask({
  type: 'minio.Download',
  title: 'Download a file from MinIO',
  description: 'Copies an object to internal storage, whatever its size.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      key: text().describe('The key.'),
      versionId: text().optional().describe('The version; the latest when absent.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file in internal storage.'),
      contentLength: z.number().describe('The size in bytes.'),
    }),
  metrics: [sizeMetric],
  sideEffects: true,
  examples: [taskExample('minio.Download', 'Fetch a file.', ['bucket: my-bucket', 'key: reports/today.csv'])],
  async run(context, { bucket, key, versionId, ...connection }) {
    const s3 = await openMinio(context, connection);
    const { uri, contentLength = 0 } = await downloadObject(s3, { bucket, key, versionId });
    return { uri, contentLength };
  },
});

const moveTo = () =>
  part({
    bucket: text().optional().describe('The bucket; the same when absent.'),
    key: text().describe('The folder: an object keeps its name below it.'),
  })
    .optional()
    .describe('Where `MOVE` puts the objects.');

const downloads = defineTask({
  type: 'minio.Downloads',
  title: 'Download all objects of a folder from MinIO',
  description:
    'Copies objects to internal storage, and then moves them, deletes them or leaves them. The first one is moved only after the last one is stored.',
  check: moveIssue,
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      ...listProperties,
      action: actionProperty(),
      moveTo: moveTo(),
    }),
  output: () => z.object(downloadsOutput),
  metrics: [sizeMetric],
  sideEffects: true,
  examples: [
    taskExample('minio.Downloads', 'Fetch what is in a folder and clear it.', [
      'bucket: my-bucket',
      'prefix: inbox/',
      'action: DELETE',
    ]),
  ],
  run: async (context, input) => downloadAll(await openMinio(context, input), input, undefined),
});

const list = defineTask({
  type: 'minio.List',
  title: 'List the objects of a MinIO bucket',
  description: 'Returns all objects of a bucket that match.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      ...listProperties,
      startAfter: text().optional().describe('Only objects whose key comes after this one.'),
      recursive: flag().default(true).describe('Also what is in folders; otherwise a folder stands for it.'),
      includeVersions: flag()
        .default(true)
        .describe('In a bucket that keeps versions: list all of them, each with its `versionId`.'),
    }),
  output: () => z.object({ objects: z.array(objectOutput).describe('The objects.') }),
  metrics: [{ name: 'size', type: 'counter', description: 'How many objects were found.' }],
  sideEffects: true,
  examples: [taskExample('minio.List', 'List a folder.', ['bucket: my-bucket', 'prefix: reports/'])],
  async run(context, { startAfter, recursive, includeVersions, ...input }) {
    const s3 = await openMinio(context, input);
    const { bucket } = input;
    const choice = {
      ...input,
      marker: startAfter ?? input.marker,
      delimiter: recursive ? input.delimiter : (input.delimiter ?? '/'),
    };
    const found = await collect(includeVersions ? listVersions(s3, choice) : listObjects(s3, choice));
    context.metric({ name: 'size', type: 'counter', value: found.length });
    return { objects: found.map((entry) => toObjectOutput(entry, addressOf({ bucket, key: entry.key }))) };
  },
});

const remove = defineTask({
  type: 'minio.Delete',
  title: 'Delete an object from MinIO',
  description: 'Deletes an object. One that does not exist is no error.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      key: text().describe('The key.'),
      bypassGovernanceRetention: flag().optional().describe('Delete it although a governance lock holds.'),
    }),
  output: () =>
    z.object({ bucket: z.string().describe('The bucket.'), key: z.string().describe('The key.') }),
  sideEffects: true,
  examples: [taskExample('minio.Delete', 'Delete a file.', ['bucket: my-bucket', 'key: reports/old.csv'])],
  async run(context, { bucket, key, bypassGovernanceRetention, ...connection }) {
    await deleteObject(await openMinio(context, connection), {
      bucket,
      key,
      headers: { 'x-amz-bypass-governance-retention': bypassGovernanceRetention ? 'true' : undefined },
    });
    return { bucket, key };
  },
});

const removeList = defineTask({
  type: 'minio.DeleteList',
  title: 'Delete many objects from MinIO',
  description: 'Deletes all objects that match, a thousand in one request.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      ...listProperties,
      concurrent: integer({ min: 1 })
        .optional()
        .describe('How many requests are sent at once; one when absent.'),
      errorOnEmpty: flag().default(false).describe('Fail when there is nothing to delete.'),
    }),
  output: () =>
    z.object({
      count: z.number().describe('How many objects were deleted.'),
      size: z.number().describe('How large they were together, in bytes.'),
    }),
  metrics: [
    { name: 'count', type: 'counter', description: 'How many objects were deleted.' },
    { name: 'size', type: 'counter', unit: 'bytes', description: 'How large they were.' },
  ],
  sideEffects: true,
  examples: [taskExample('minio.DeleteList', 'Clear a folder.', ['bucket: my-bucket', 'prefix: temporary/'])],
  async run(context, input) {
    const s3 = await openMinio(context, input);
    const done = await deleteAll(context, realObjects(s3, input), input, (keys) =>
      deleteObjects(s3, input.bucket, keys),
    );
    context.metric({ name: 'count', type: 'counter', value: done.count });
    context.metric({ name: 'size', type: 'counter', value: done.size });
    return done;
  },
});

const copy = defineTask({
  type: 'minio.Copy',
  title: 'Copy an object in MinIO',
  description:
    'Copies an object inside the service, whatever its size, and deletes the original with `delete`.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: text().optional().describe('Accepted for compatibility; `from` and `to` name the buckets.'),
      from: part({
        bucket: text().describe('The bucket.'),
        key: text().describe('The key.'),
        versionId: text().optional().describe('The version; the latest when absent.'),
      })
        .optional()
        .describe('The object to copy.'),
      to: part({
        bucket: text().optional().describe('The bucket; the same when absent.'),
        key: text().optional().describe('The key; the same when absent.'),
      })
        .optional()
        .describe('Where to.'),
      delete: flag().default(false).describe('Delete the original afterwards.'),
    }),
  output: () => z.object(copyOutput),
  sideEffects: true,
  examples: [
    taskExample('minio.Copy', 'Move an object to another bucket.', [
      'from:',
      '  bucket: my-bucket',
      '  key: inbox/data.csv',
      'to:',
      '  bucket: my-archive',
      '  key: 2026/data.csv',
      'delete: true',
    ]),
  ],
  run: async (context, input) => copyOrMove(await openMinio(context, input), input, {}),
});

const create = defineTask({
  type: 'minio.CreateBucket',
  title: 'Create a MinIO bucket',
  description: 'Creates a bucket. A name that is taken fails the task.',
  input: () =>
    z.object({
      ...minioConnection,
      bucket: bucketProperty(),
      objectLockEnabledForBucket: flag().optional().describe('Allow locks on objects.'),
    }),
  output: () => z.object({ bucket: z.string().describe('The bucket.') }),
  sideEffects: true,
  examples: [taskExample('minio.CreateBucket', 'Create a bucket.', ['bucket: my-bucket'])],
  async run(context, input) {
    const { bucket } = await createBucket(await openMinio(context, input), input);
    return { bucket };
  },
});

const trigger = defineTrigger({
  type: 'minio.Trigger',
  role: 'polling',
  title: 'Start when objects arrive in a MinIO bucket',
  description: `Lists a bucket every \`interval\`, stores the objects it finds, and starts one execution for all of them. With the action \`MOVE\` or \`DELETE\`
every object counts, and it is moved or deleted after the execution is stored. With \`NONE\` the trigger remembers the objects that it has
seen, and \`on\` says whether new or changed ones start an execution.`,
  check: moveIssue,
  input: () =>
    z.object({
      ...minioConnection,
      interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      bucket: bucketProperty(),
      ...listProperties,
      action: actionProperty().default('NONE'),
      moveTo: moveTo(),
      ...triggerStateProperties,
    }),
  output: triggerOutput,
  examples: [
    triggerExample(
      'minio.Trigger',
      'Process every file that arrives, and delete it.',
      ['bucket: my-bucket', 'prefix: inbox/', 'interval: PT30S', 'action: DELETE'],
      "trigger.objects | jq('.[].key')",
    ),
  ],
  poll: async (context, { interval: _, on, stateKey, stateTtl, ...input }) =>
    pollObjects(context, await openMinio(context, input), { ...input, state: { on, stateKey, stateTtl } }),
});

export const minioTypes: readonly Definition[] = [
  upload,
  download,
  downloads,
  list,
  copy,
  remove,
  removeList,
  create,
  trigger,
];
