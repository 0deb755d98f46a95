import { expect, it } from 'vitest';
import { openBlobs } from './openBlobs.ts';
import { S3Client } from './s3Client.ts';
import { listObjects } from './s3List.ts';
import { blobSuite } from './testing/blobSuite.ts';
import { startS3Service } from './testing/startS3Service.ts';

blobSuite('files in a bucket', async () => {
  const { config, close } = await startS3Service();
  return { blobs: await openBlobs({ ...config, prefix: '/some/where/' }), close };
});

it('goes through lists of more than one page', async () => {
  const { config, close } = await startS3Service();
  const blobs = await openBlobs(config);
  const keys = ['many/1', 'many/2', 'many/3', 'many/4', 'many/5'];
  for (const key of keys) await blobs.put(key, (async function* () {})());
  const listed: string[] = [];
  for await (const { key } of listObjects(new S3Client(config), 'many/', { pageSize: 2 })) listed.push(key);
  expect(listed).toEqual(keys);
  await close();
});

it('says at once that the key is wrong or the bucket is not there', async () => {
  const { config, close } = await startS3Service();
  const open = (change: object) => openBlobs({ ...config, ...change });
  await expect(open({ secretAccessKey: 'wrong' })).rejects.toThrow('SignatureDoesNotMatch');
  await expect(open({ bucket: 'nothing' })).rejects.toThrow('NoSuchBucket');
  await close();
  await expect(open({})).rejects.toThrow('cannot be reached');
});
