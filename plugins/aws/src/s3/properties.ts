import type { Issue } from '@millrace/contract';
import { choice, flag, integer, type Properties, part, text } from '@millrace/plugin-kit';

export const bucketProperty = () => text().describe('The name of the bucket.');

/** Which objects of a bucket. */
export const listProperties = {
  prefix: text().optional().describe('Only objects whose key starts with this text.'),
  delimiter: text()
    .optional()
    .describe('Usually `/`: objects below are shown as one folder, a key that ends with the delimiter.'),
  marker: text().optional().describe('Only objects whose key comes after this one.'),
  maxKeys: integer({ min: 1, max: 1000 })
    .default(1000)
    .describe('How many objects a single request lists; further requests list the rest.'),
  regexp: text().optional().describe('Only objects whose whole key matches this regular expression.'),
  filter: choice(['FILES', 'DIRECTORY', 'BOTH'])
    .default('BOTH')
    .describe('Files, folders (keys that end with `/`) or both.'),
};

export const awsListProperties = {
  ...listProperties,
  encodingType: text().optional().describe('Accepted for compatibility: keys are always transferred safely.'),
  expectedBucketOwner: text().optional().describe('The account that must own the bucket.'),
};

export const requestPayer = text().optional().describe('`requester` when the caller pays for the transfer.');

export const maxFiles = integer({ min: 1 })
  .default(25)
  .describe('How many objects at most; the others are left for the next time.');

const encryption = {
  serverSideEncryption: choice(['NONE', 'AES256', 'AWS_KMS'])
    .optional()
    .describe('How the object is encrypted; as the bucket says when absent.'),
  kmsKeyId: text().optional().describe('The key of KMS, for `AWS_KMS`.'),
};

export const placeProperties = {
  bucket: text().describe('The bucket.'),
  key: text().describe('The key.'),
};

export const fromProperty = () =>
  part({
    ...placeProperties,
    versionId: text().optional().describe('The version; the latest when absent.'),
    ...encryption,
  })
    .optional()
    .describe('The object to copy.');

export const toProperty = () =>
  part({
    bucket: text().optional().describe('The bucket; the same when absent.'),
    key: text().optional().describe('The key; the same when absent.'),
    ...encryption,
  })
    .optional()
    .describe('Where to.');

export const actionProperty = () =>
  choice(['MOVE', 'DELETE', 'NONE']).describe('What happens to the objects after they are stored.');

export const moveToProperty = () =>
  part({
    bucket: text().optional().describe('The bucket; the same when absent.'),
    key: text().describe('The folder: an object keeps its name below it.'),
    ...encryption,
  })
    .optional()
    .describe('Where `MOVE` puts the objects.');

export function moveIssue({ action, moveTo }: Properties): readonly Issue[] {
  if (action !== 'MOVE' || moveTo !== undefined) return [];
  return [{ severity: 'error', path: 'moveTo', message: 'must be given when "action" is MOVE' }];
}

interface Encryption {
  readonly serverSideEncryption?: 'NONE' | 'AES256' | 'AWS_KMS' | undefined;
  readonly kmsKeyId?: string | undefined;
}

export const encryptionHeaders = ({ serverSideEncryption, kmsKeyId }: Encryption = {}) => ({
  'x-amz-server-side-encryption':
    serverSideEncryption === 'AWS_KMS' ? 'aws:kms' : serverSideEncryption === 'AES256' ? 'AES256' : undefined,
  'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId,
});

export const validateChecksum = flag()
  .default(false)
  .describe(
    'Fail when the content does not have the checksum that S3 keeps. An object without one only warns.',
  );
