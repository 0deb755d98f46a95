// A real object store that checks signatures, in a separate process because it needs an old cipher for its
// page tokens: node --openssl-legacy-provider s3Service.mjs <folder>. Prints its port.
import S3rver from '@20minutes/s3rver';

const service = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'files' }],
});
const { port } = /** @type {import('node:net').AddressInfo} */ (await service.run());
process.stdout.write(`${port}\n`);
process.stdin.resume().on('end', () => process.exit());
