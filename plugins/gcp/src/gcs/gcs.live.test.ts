import {
  createOutboundClient,
  type OutboundResponse,
  readInput,
  type TaskDefinition,
} from '@millrace/plugin-kit';
import { aTaskContext, type RunningServer, runType, startRealServer } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceAccount } from '../testing/fakeGoogle.ts';
import { createBucket, deleteBucket } from './buckets.ts';
import { compose, list, remove, removeList } from './lists.ts';
import { copy, download, upload } from './transfer.ts';
import { trigger } from './trigger.ts';

/** The program of gcp-storage-emulator, which `npm run test:connectors` installs. */
const program = process.env.MILLRACE_TEST_GCS_EMULATOR;

describe.skipIf(program === undefined)('gcp-storage-emulator', () => {
  let server: RunningServer;
  const client = createOutboundClient({});

  beforeAll(async () => {
    server = await startRealServer({
      program: program ?? '',
      args: ({ port }) => [
        'start',
        '--host=127.0.0.1',
        `--port=${port}`,
        '--in-memory',
        '--default-bucket=shop',
      ],
    });
  });
  afterAll(async () => {
    client.close();
    await server?.stop();
  });

  /** The emulator issues no tokens, so the test does. */
  const token = async (): Promise<OutboundResponse> => ({
    status: 200,
    url: '',
    headers: {},
    body: (async function* () {
      yield Buffer.from('{"access_token":"emulator","expires_in":3600}');
    })(),
  });

  const aContext = () =>
    aTaskContext({
      fetch: (request) =>
        request.url.startsWith('https://oauth2.googleapis.com/')
          ? token()
          : client.send({
              ...request,
              url: request.url.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${server.port}`),
            }),
      actions: { hasExecution: async () => true },
    });
  const context = () => aContext();
  const run = (task: TaskDefinition, properties: object, own = context()) =>
    runType(task, { serviceAccount, projectId: 'p', ...properties }, own);

  test('files are uploaded, listed, copied, joined, downloaded and deleted', async () => {
    const own = context();
    const large = Buffer.alloc(9 * 1024 * 1024, 'millrace');
    await run(upload, { from: await own.files.put('large', large), to: 'gs://shop/in/large.bin' }, own);
    await run(
      upload,
      { from: await own.files.put('a', 'one;'), to: 'gs://shop/in/a b.csv', contentType: 'text/csv' },
      own,
    );
    const { blobs } = await run(list, { from: 'gs://shop/in/' });
    expect(blobs).toMatchObject([
      { name: 'in/a b.csv', size: 4, contentType: 'text/csv' },
      { name: 'in/large.bin', size: large.length },
    ]);
    const { uri } = await run(download, { from: 'gs://shop/in/large.bin' }, own);
    expect(await own.files.sizeOf(String(uri))).toBe(large.length);
    await run(copy, { from: 'gs://shop/in/a b.csv', to: 'gs://shop/out/1' });
    await run(copy, { from: 'gs://shop/in/a b.csv', to: 'gs://shop/out/2', delete: true });
    await run(compose, { list: { from: 'gs://shop/out/' }, to: 'gs://shop/all' });
    const joined = await run(download, { from: 'gs://shop/all' }, own);
    expect(await own.files.text(String(joined.uri))).toBe('one;one;');
    expect(await run(remove, { uri: 'gs://shop/none' })).toMatchObject({ deleted: false });
    expect(
      await run(removeList, { from: 'gs://shop/', listingType: 'RECURSIVE', concurrent: 2 }),
    ).toMatchObject({ count: 4 });
  });

  test('buckets are created and deleted, and one that exists is refused', async () => {
    expect(await run(createBucket, { name: 'other' })).toMatchObject({
      created: true,
      bucket: { uri: 'gs://other' },
    });
    await expect(run(createBucket, { name: 'other' })).rejects.toThrow('HTTP 409');
    expect(await run(createBucket, { name: 'other', ifExists: 'SKIP' })).toMatchObject({ created: false });
    expect(await run(deleteBucket, { name: 'other', force: true })).toMatchObject({ bucket: 'other' });
  });

  test('the trigger finds each file once', async () => {
    const own = context();
    const poll = () =>
      trigger.poll?.(
        own,
        readInput(trigger.type, trigger.input, { serviceAccount, from: 'gs://shop/inbox/' }),
      );
    expect(await poll()).toBeUndefined();
    await run(upload, { from: await own.files.put('a', 'one'), to: 'gs://shop/inbox/1' }, own);
    expect(await poll()).toMatchObject({ blobs: [{ name: 'inbox/1', changeType: 'CREATE' }] });
    expect(await poll()).toBeUndefined();
  });
});
