import type { BlobStore } from '@millrace/contract';

export type BlobConfig =
  | { readonly kind: 'local'; readonly folder: string }
  | ({ readonly kind: 's3' } & S3Config);

export interface S3Config {
  /** Of the service; that of AWS in the region when absent. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Goes before every key, so that a bucket can be shared. */
  readonly prefix?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Each implementation is loaded only when it is used. */
export async function openBlobs(config: BlobConfig): Promise<BlobStore> {
  if (config.kind === 'local') {
    const { LocalBlobs } = await import('./localBlobs.ts');
    return LocalBlobs.open(config.folder);
  }
  const { S3Blobs } = await import('./s3Blobs.ts');
  return S3Blobs.open(config);
}
