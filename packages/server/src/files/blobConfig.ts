import { join } from 'node:path';
import type { BlobConfig } from '@millrace/store';
import type { Config } from '../config/schema.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where files live. A key that the configuration does not name is looked for where cloud tools put it. */
export function blobConfigOf({ storage, data }: Pick<Config, 'storage' | 'data'>, env: Env): BlobConfig {
  const { type, path, endpoint, region, bucket = '', prefix } = storage;
  if (type !== 's3') return { kind: 'local', folder: path ?? join(data, 'storage') };
  const given = storage.accessKeyId !== undefined;
  const sessionToken = given ? undefined : env.AWS_SESSION_TOKEN;
  return {
    kind: 's3',
    region,
    bucket,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(prefix === undefined ? {} : { prefix }),
    accessKeyId: storage.accessKeyId ?? env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: storage.secretAccessKey ?? env.AWS_SECRET_ACCESS_KEY ?? '',
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
}

/** The folder or bucket, for messages. */
export const placeOf = (config: BlobConfig): string =>
  config.kind === 'local' ? `the folder "${config.folder}"` : `the bucket "${config.bucket}"`;
