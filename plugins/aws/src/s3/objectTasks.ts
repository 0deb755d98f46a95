import { collect, defineTask, flag, integer, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { readText } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { taskExample } from '../client/example.ts';
import { listObjects, ownerHeaders } from './listObjects.ts';
import {
  addressOf,
  copyObject,
  deleteObject,
  deleteObjects,
  known,
  objectOutput,
  toObjectOutput,
} from './objects.ts';
import {
  awsListProperties,
  bucketProperty,
  encryptionHeaders,
  fromProperty,
  maxFiles,
  requestPayer,
  toProperty,
} from './properties.ts';
import { openS3, type S3 } from './s3.ts';
import { deleteAll } from './transfer.ts';

export const s3List = defineTask({
  type: 'aws.s3.List',
  title: 'List the objects of an S3 bucket',
  description:
    'Returns the objects of a bucket in the order of their keys, at most `maxFiles`. With a `delimiter`, folders stand for the objects in them.',
  input: () =>
    z.object({ ...taskConnection, bucket: bucketProperty(), ...awsListProperties, requestPayer, maxFiles }),
  output: () => z.object({ objects: z.array(objectOutput).describe('The objects.') }),
  metrics: [{ name: 's3.objects.count', type: 'counter', description: 'How many objects were found.' }],
  sideEffects: true,
  examples: [
    taskExample('aws.s3.List', 'List the files of a folder.', [
      'bucket: my-bucket',
      'prefix: reports/',
      'filter: FILES',
      'maxFiles: 100',
    ]),
  ],
  async run(context, { maxFiles: limit, ...input }) {
    const s3 = await openS3(context, input);
    const { bucket } = input;
    const found = await collect(listObjects(s3, input), limit);
    context.metric({ name: 's3.objects.count', type: 'counter', value: found.length });
    return { objects: found.map((entry) => toObjectOutput(entry, addressOf({ bucket, key: entry.key }))) };
  },
});

export const s3Delete = defineTask({
  type: 'aws.s3.Delete',
  title: 'Delete an object from S3',
  description: 'Deletes an object. One that does not exist is no error.',
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      key: text().describe('The key.'),
      bypassGovernanceRetention: flag().optional().describe('Delete it although a governance lock holds.'),
      mfa: text().optional().describe('Serial number and code of the device, when the bucket asks for it.'),
      requestPayer,
    }),
  output: () =>
    z.object({
      versionId: z.string().optional().describe('The version, in a bucket that keeps versions.'),
      deleteMarker: z.boolean().optional().describe('Whether only a marker was set.'),
      requestCharged: z.string().optional().describe('Who paid for the request.'),
    }),
  sideEffects: true,
  examples: [taskExample('aws.s3.Delete', 'Delete a file.', ['bucket: my-bucket', 'key: reports/old.csv'])],
  async run(context, { bucket, key, mfa, bypassGovernanceRetention, ...input }) {
    const headers = await deleteObject(await openS3(context, input), {
      bucket,
      key,
      headers: {
        ...ownerHeaders(input),
        'x-amz-mfa': mfa,
        'x-amz-bypass-governance-retention': bypassGovernanceRetention ? 'true' : undefined,
      },
    });
    const marker = headers['x-amz-delete-marker']?.[0];
    return {
      ...known('versionId', headers['x-amz-version-id']?.[0]),
      ...known('requestCharged', headers['x-amz-request-charged']?.[0]),
      ...(marker !== undefined && { deleteMarker: marker === 'true' }),
    };
  },
});

export const s3DeleteList = defineTask({
  type: 'aws.s3.DeleteList',
  title: 'Delete many objects from S3',
  description: 'Deletes all objects that match, a thousand in one request.',
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      ...awsListProperties,
      requestPayer,
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
    { name: 's3.objects.deleted.count', type: 'counter', description: 'How many objects were deleted.' },
    { name: 's3.objects.deleted.size', type: 'counter', unit: 'bytes', description: 'How large they were.' },
  ],
  sideEffects: true,
  examples: [
    taskExample('aws.s3.DeleteList', 'Clear a folder.', ['bucket: my-bucket', 'prefix: temporary/']),
  ],
  async run(context, input) {
    const s3 = await openS3(context, input);
    const done = await deleteAll(context, realObjects(s3, input), input, (keys) =>
      deleteObjects(s3, input.bucket, keys, ownerHeaders(input)),
    );
    context.metric({ name: 's3.objects.deleted.count', type: 'counter', value: done.count });
    context.metric({ name: 's3.objects.deleted.size', type: 'counter', value: done.size });
    return done;
  },
});

/** A folder that only groups keys is no object. */
export async function* realObjects(s3: S3, input: Parameters<typeof listObjects>[1]) {
  for await (const entry of listObjects(s3, input)) if (entry.lastModified) yield entry;
}

export const copyOutput = {
  bucket: z.string().describe('The bucket.'),
  key: z.string().describe('The key.'),
  eTag: z.string().optional().describe('The entity tag.'),
  versionId: z.string().optional().describe('The version, in a bucket that keeps versions.'),
};

interface CopyInput {
  readonly from?: { bucket: string; key: string; versionId?: string | undefined } | undefined;
  readonly to?: { bucket?: string | undefined; key?: string | undefined } | undefined;
  readonly delete: boolean;
}

/** Copies an object, or moves it with `delete`. */
export async function copyOrMove(
  s3: S3,
  input: CopyInput,
  headers: Readonly<Record<string, string | undefined>>,
) {
  const { from } = input;
  if (!from) throw new TaskFailed('"from" must name the object.', { retry: false });
  const to = { bucket: input.to?.bucket ?? from.bucket, key: input.to?.key ?? from.key };
  const isSame = to.bucket === from.bucket && to.key === from.key;
  if (isSame && from.versionId === undefined)
    throw new TaskFailed('"to" must be another place than "from".', { retry: false });
  const { eTag, versionId } = await copyObject(s3, {
    from,
    to,
    headers,
  });
  if (input.delete && !isSame) await deleteObject(s3, from);
  return { ...to, ...known('eTag', eTag), ...known('versionId', versionId) };
}

export const s3Copy = defineTask({
  type: 'aws.s3.Copy',
  title: 'Copy an object in S3',
  description: 'Copies an object inside S3, whatever its size, and deletes the original with `delete`.',
  input: () =>
    z.object({
      ...taskConnection,
      from: fromProperty(),
      to: toProperty(),
      delete: flag().default(false).describe('Delete the original afterwards.'),
    }),
  output: () => z.object(copyOutput),
  sideEffects: true,
  examples: [
    taskExample('aws.s3.Copy', 'Move an object to another bucket.', [
      'from:',
      '  bucket: my-bucket',
      '  key: inbox/data.csv',
      'to:',
      '  bucket: my-archive',
      '  key: 2026/data.csv',
      'delete: true',
    ]),
  ],
  run: async (context, input) => copyOrMove(await openS3(context, input), input, encryptionHeaders(input.to)),
});

interface CreateInput {
  readonly bucket: string;
  readonly objectLockEnabledForBucket?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export async function createBucket(s3: S3, { bucket, objectLockEnabledForBucket, headers }: CreateInput) {
  const { region } = s3;
  const isDefault = region === 'us-east-1';
  const response = await s3.call({
    action: `CreateBucket "${bucket}"`,
    method: 'PUT',
    bucket,
    headers: {
      ...headers,
      'x-amz-bucket-object-lock-enabled': objectLockEnabledForBucket ? 'true' : undefined,
    },
    ...(!isDefault && {
      body: `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`,
    }),
  });
  await readText(response);
  return { bucket, region };
}

export const s3CreateBucket = defineTask({
  type: 'aws.s3.CreateBucket',
  title: 'Create an S3 bucket',
  description: 'Creates a bucket in the region of the task. A name that is taken fails the task.',
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      grantFullControl: text().optional().describe('Who may do everything.'),
      grantRead: text().optional().describe('Who may list the objects.'),
      grantReadACP: text().optional().describe('Who may read the permissions.'),
      grantWrite: text().optional().describe('Who may create objects.'),
      grantWriteACP: text().optional().describe('Who may change the permissions.'),
      acl: text().optional().describe('Who may do what, such as `private`.'),
      objectLockEnabledForBucket: flag().optional().describe('Allow locks on objects.'),
    }),
  output: () =>
    z.object({ bucket: z.string().describe('The bucket.'), region: z.string().describe('Its region.') }),
  sideEffects: true,
  examples: [taskExample('aws.s3.CreateBucket', 'Create a bucket.', ['bucket: my-bucket'])],
  run: async (context, input) =>
    createBucket(await openS3(context, input), {
      ...input,
      headers: {
        'x-amz-acl': input.acl?.toLowerCase().replaceAll('_', '-'),
        'x-amz-grant-full-control': input.grantFullControl,
        'x-amz-grant-read': input.grantRead,
        'x-amz-grant-read-acp': input.grantReadACP,
        'x-amz-grant-write': input.grantWrite,
        'x-amz-grant-write-acp': input.grantWriteACP,
      },
    }),
});
