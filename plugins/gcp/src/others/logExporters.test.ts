import { expect, test } from 'vitest';
import { serviceAccount, startGoogle } from '../testing/fakeGoogle.ts';
import { FakeStorage } from '../testing/fakeStorage.ts';
import { cloudLoggingExporter, gcsLogExporter } from './logExporters.ts';

const lines = async function* () {
  yield { message: 'slow', level: 'WARN', timestamp: '2026-01-31T00:00:00.000Z', flowId: 'f' };
};

test('lines become entries of Cloud Logging', async () => {
  const { received, context } = await startGoogle(() => ({ body: {} }));
  const input = cloudLoggingExporter.input.parse({ serviceAccount });
  expect(await cloudLoggingExporter.export(context, input, lines())).toEqual({ size: 1 });
  expect(received.find(({ path }) => path.endsWith('entries:write'))?.json).toMatchObject({
    logName: 'projects/my-project/logs/millrace',
    entries: [{ severity: 'WARNING', labels: { flowId: 'f' }, jsonPayload: { message: 'slow' } }],
  });
});

test('lines become an object of Cloud Storage', async () => {
  const storage = new FakeStorage();
  const { context } = await startGoogle(storage.handle);
  const input = gcsLogExporter.input.parse({ serviceAccount, bucket: 'logs', logFilePrefix: 'm/' });
  const { uri, size } = await gcsLogExporter.export(context, input, lines());
  expect(size).toBe(1);
  const stored = storage.objects.get(String(uri).slice('gs://'.length));
  expect(String(stored?.content)).toContain('"message":"slow"');
});
