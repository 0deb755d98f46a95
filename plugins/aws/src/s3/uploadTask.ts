import {
  choice,
  dateTime,
  defineTask,
  flag,
  integer,
  mapOf,
  someValue,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { taskConnection } from '../client/connection.ts';
import { fileInput, taskExample } from '../client/example.ts';
import { type ChecksumAlgorithm, checksumAlgorithms, checksumHeader } from './checksum.ts';
import { ownerHeaders } from './listObjects.ts';
import { bucketProperty, requestPayer } from './properties.ts';
import { openS3 } from './s3.ts';
import { uploadFiles, uploadOutput } from './transfer.ts';

export const sourceProperty = () =>
  someValue()
    .describe('A file in internal storage, a list of them, or a map from name to file.')
    .meta({ $internalStorageURI: true });

export const metadataProperty = () =>
  mapOf(text()).optional().describe('Metadata that is kept with the object.');

const storageClasses = [
  'STANDARD',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'DEEP_ARCHIVE',
  'OUTPOSTS',
  'GLACIER_IR',
  'SNOW',
  'EXPRESS_ONEZONE',
] as const;

const objectProperties = {
  metadata: metadataProperty(),
  cacheControl: text().optional().describe('The header `Cache-Control` of the object.'),
  contentType: text().optional().describe('The media type.'),
  contentEncoding: text().optional().describe('How the content is encoded, such as `gzip`.'),
  contentDisposition: text().optional().describe('How a browser shows the object.'),
  contentLanguage: text().optional().describe('The language of the content.'),
  contentLength: integer({ min: 0 })
    .optional()
    .describe('The size that the file must have; another size fails the task.'),
  expires: dateTime().optional().describe('When caches forget the object.'),
  acl: text().optional().describe('Who may do what, such as `public-read`.'),
  storageClass: choice(storageClasses).optional().describe('The storage class.'),
  serverSideEncryption: choice([
    'AES256',
    'AWS_KMS',
    'AWS_KMS_DSSE',
    'AWS_FSX',
    'aws:kms',
    'aws:kms:dsse',
    'aws:fsx',
  ])
    .optional()
    .describe('How the object is encrypted; as the bucket says when absent.'),
  bucketKeyEnabled: flag().optional().describe('Use the key of the bucket with KMS.'),
  checksumAlgorithm: choice(checksumAlgorithms).optional().describe('The checksum that S3 checks and keeps.'),
  checksum: text()
    .optional()
    .describe('The checksum of a single file of up to 8 MB in base64; computed when absent.'),
  expectedBucketOwner: text().optional().describe('The account that must own the bucket.'),
  objectLockMode: choice(['GOVERNANCE', 'COMPLIANCE']).optional().describe('How the object is locked.'),
  objectLockLegalHoldStatus: choice(['ON', 'OFF']).optional().describe('Whether there is a legal hold.'),
  objectLockRetainUntilDate: dateTime().optional().describe('Until when the object is locked.'),
  tagging: mapOf(text()).optional().describe('Tags of the object.'),
};

const ObjectProperties = z.object(objectProperties);
type ObjectInput = z.infer<typeof ObjectProperties>;

export const s3Upload = defineTask({
  type: 'aws.s3.Upload',
  title: 'Upload files to S3',
  description: `Stores files of internal storage in a bucket, whatever their size. A single file gets exactly the key; several files are stored below it as
\`<key>/<name>\`. Large files are sent in parts and appear when the last one has arrived.`,
  input: () =>
    z.object({
      ...taskConnection,
      bucket: bucketProperty(),
      key: text().describe('The key of a single file, or the folder of several.'),
      from: sourceProperty(),
      ...objectProperties,
      requestPayer,
      concurrentUploads: integer({ min: 1 })
        .default(50)
        .describe('How many files are uploaded at once; each needs 8 MB of memory, so eight at most are.'),
    }),
  output: () => z.object(uploadOutput),
  metrics: [
    { name: 'file.count', type: 'counter', description: 'How many files were uploaded.' },
    { name: 'file.size', type: 'counter', unit: 'bytes', description: 'How large they are.' },
  ],
  sideEffects: true,
  examples: [
    taskExample(
      'aws.s3.Upload',
      'Store a file in a bucket.',
      ['bucket: my-bucket', 'key: reports/today.csv', 'from: "{{ inputs.file }}"'],
      fileInput,
    ),
  ],
  async run(context, { bucket, key, from, concurrentUploads, requestPayer: payer, ...input }) {
    const s3 = await openS3(context, input);
    if (input.contentLength !== undefined) await checkLength(context.files, from, input.contentLength);
    const isLocked =
      input.objectLockMode ?? input.objectLockLegalHoldStatus ?? input.objectLockRetainUntilDate;
    return uploadFiles(s3, {
      bucket,
      key,
      from,
      concurrency: Math.min(concurrentUploads, 8),
      headers: objectHeaders(input),
      requestHeaders: ownerHeaders({ ...input, requestPayer: payer }),
      // S3 rejects locked objects without a checksum.
      checksumAlgorithm: input.checksumAlgorithm ?? (isLocked ? 'CRC32' : undefined),
    });
  },
});

async function checkLength(
  files: { sizeOf(uri: string): Promise<number | undefined> },
  from: unknown,
  expected: number,
): Promise<void> {
  const size = typeof from === 'string' ? await files.sizeOf(from.trim()) : undefined;
  if (size !== undefined && size !== expected)
    throw new TaskFailed(`The file has ${size} bytes, but "contentLength" is ${expected}.`, { retry: false });
}

function objectHeaders(input: ObjectInput): Record<string, string | undefined> {
  return {
    ...metadataHeaders(input.metadata),
    'cache-control': input.cacheControl,
    'content-type': input.contentType,
    'content-encoding': input.contentEncoding,
    'content-disposition': input.contentDisposition,
    'content-language': input.contentLanguage,
    expires: input.expires === undefined ? undefined : new Date(input.expires).toUTCString(),
    'x-amz-acl': input.acl?.toLowerCase().replaceAll('_', '-'),
    'x-amz-storage-class': input.storageClass,
    'x-amz-server-side-encryption': input.serverSideEncryption
      ?.replace(/^AWS_/, 'aws:')
      .replace(/^aws:(.*)$/, (_, name: string) => `aws:${name.toLowerCase().replace('_', ':')}`),
    'x-amz-server-side-encryption-bucket-key-enabled':
      input.bucketKeyEnabled === undefined ? undefined : String(input.bucketKeyEnabled),
    'x-amz-object-lock-mode': input.objectLockMode,
    'x-amz-object-lock-legal-hold': input.objectLockLegalHoldStatus,
    'x-amz-object-lock-retain-until-date':
      input.objectLockRetainUntilDate === undefined
        ? undefined
        : new Date(input.objectLockRetainUntilDate).toISOString(),
    'x-amz-tagging': input.tagging && new URLSearchParams(input.tagging).toString(),
    ...checksumHeaders(input.checksum, input.checksumAlgorithm),
  };
}

const checksumHeaders = (checksum: string | undefined, algorithm: ChecksumAlgorithm = 'SHA256') =>
  checksum === undefined ? {} : { [checksumHeader(algorithm)]: checksum };

/** Headers hold plain text only. */
export function metadataHeaders(metadata: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      if (!/^[\x20-\x7e]*$/.test(value) || !/^[\w.-]+$/.test(name))
        throw new TaskFailed(`The metadata "${name}: ${value}" has characters that S3 does not allow.`, {
          retry: false,
        });
      return [`x-amz-meta-${name.toLowerCase()}`, value];
    }),
  );
}
