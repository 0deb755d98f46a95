// An object store that checks signatures, in a separate process because its page tokens need an old cipher:
// node --openssl-legacy-provider s3Service.mjs <port> <folder>
import S3rver from '@20minutes/s3rver';

const [, , port, directory] = process.argv;
await new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: 'files' }, { name: 'archive' }],
}).run();
