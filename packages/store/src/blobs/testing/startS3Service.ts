import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../suite/temporaryFolder.ts';

/** Starts an object store with one bucket on a free port. */
export async function startS3Service() {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL('./s3Service.mjs', import.meta.url));
  const service = spawn(process.execPath, ['--openssl-legacy-provider', script, folder.path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(service.stdout, 'data');
  const config = {
    kind: 's3',
    endpoint: `http://127.0.0.1:${String(port).trim()}`,
    region: 'us-east-1',
    bucket: 'files',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  } as const;
  const close = async () => {
    const ended = once(service, 'exit');
    service.kill();
    await ended;
    folder.remove();
  };
  return { config, close };
}
