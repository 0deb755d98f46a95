import { fileURLToPath } from 'node:url';
import { startRealServer } from '@millrace/plugin-kit/testing';

/** An object store with the buckets `files` and `archive`. */
export async function startS3() {
  const script = fileURLToPath(new URL('./s3Service.mjs', import.meta.url));
  const server = await startRealServer({
    program: process.execPath,
    args: ({ port, folder }) => ['--openssl-legacy-provider', script, String(port), folder],
  });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const keys = { accessKeyId: 'S3RVER', secretKeyId: 'S3RVER' };
  return { aws: { endpointOverride: endpoint, ...keys }, minio: { endpoint, ...keys }, stop: server.stop };
}
