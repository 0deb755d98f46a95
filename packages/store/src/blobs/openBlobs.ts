import type { BlobStore } from '@millrace/contract';
import type { BlobConfig } from './blobConfig.ts';

/** Each implementation is loaded only when it is used. */
export async function openBlobs(config: BlobConfig): Promise<BlobStore> {
  if (config.kind === 'local') {
    const { LocalBlobs } = await import('./localBlobs.ts');
    return LocalBlobs.open(config.folder);
  }
  const { S3Blobs } = await import('./s3Blobs.ts');
  return S3Blobs.open(config);
}
