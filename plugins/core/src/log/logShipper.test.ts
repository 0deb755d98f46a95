import type { LogFilter } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { fileExporter, httpExporter } from './exporters.ts';
import { logShipper } from './logShipper.ts';

const types = [fileExporter, httpExporter];

function aShipper(status = 200) {
  const asked: LogFilter[] = [];
  const sent: unknown[] = [];
  const context = aTaskContext({
    findType: (type) => types.find((each) => each.type === type),
    fetch: async ({ body }) => {
      sent.push(JSON.parse(String(body)));
      return { status, url: '', headers: {}, body: (async function* () {})() };
    },
    actions: {
      fetchLogs: async function* (filter) {
        asked.push(filter);
        for (const message of ['a', 'b', 'c']) yield { message };
      },
    },
  });
  return { asked, sent, context };
}
const to = (...logExporters: Record<string, unknown>[]) => ({ logExporters, logLevelFilter: 'WARN' });

test('hands the new lines to every exporter and remembers how far it came', async () => {
  const { asked, sent, context } = aShipper();
  const properties = to(
    { id: 'file', type: 'core.log.exporter.File' },
    { id: 'http', type: 'core.log.exporter.Http', uri: 'https://logs.example.com', chunk: 2 },
  );
  const { size, outputs } = await runType(logShipper, properties, context);
  expect(size).toBe(3);
  expect(sent).toEqual([[{ message: 'a' }, { message: 'b' }], [{ message: 'c' }]]);
  const { uri } = (outputs as { file: { uri: string } }).file;
  expect(await context.files.text(uri)).toBe('{"message":"a"}\n{"message":"b"}\n{"message":"c"}\n');
  await runType(logShipper, properties, context);
  const next = new Date(Date.parse(asked[0]?.endDate ?? '') + 1).toISOString();
  expect(asked[2]).toMatchObject({ minLevel: 'WARN', startDate: next });
});

test('sends everything again when an exporter failed', async () => {
  const { asked, context } = aShipper(500);
  const properties = to({ type: 'core.log.exporter.Http', uri: 'https://logs.example.com' });
  await expect(runType(logShipper, properties, context)).rejects.toThrow('status 500');
  await expect(runType(logShipper, properties, context)).rejects.toThrow('status 500');
  expect(Date.parse(asked[1]?.endDate ?? '') - Date.parse(asked[1]?.startDate ?? '')).toBeGreaterThan(
    86_000_000,
  );
});

test('an exporter that is not installed is named', async () => {
  const { context } = aShipper();
  await expect(runType(logShipper, to({ type: 'acme.Nowhere' }), context)).rejects.toThrow(
    '"acme.Nowhere" is not installed',
  );
});
