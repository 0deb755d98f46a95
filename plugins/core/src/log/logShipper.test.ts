import { type AddressInfo, createServer } from 'node:net';
import type { LogFilter } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { fileExporter, httpExporter } from './exporters.ts';
import { logShipper } from './logShipper.ts';
import { syslogExporter } from './syslogExporter.ts';

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

test('a syslog server that resets the connection instead of closing it has not taken the lines', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('end', () => socket.resetAndDestroy());
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // a server that listens on a port
  await expect(
    syslogExporter.export(
      aTaskContext(realNetwork()),
      syslogExporter.input.parse({ host: '127.0.0.1', port }),
      (async function* () {
        yield { level: 'INFO', message: 'lost' };
      })(),
    ),
  ).rejects.toThrow(`Syslog server on 127.0.0.1:${port}: `);
});

test('lines reach a syslog server with their level, date and ids, and a closed port is named', async () => {
  let received = '';
  const server = createServer((socket) =>
    socket.on('data', (chunk) => {
      received += chunk;
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a server that listens on a port
  const send = (at: number) =>
    syslogExporter.export(
      aTaskContext(realNetwork()),
      syslogExporter.input.parse({ host: '127.0.0.1', port: at, facility: 'LOCAL0' }),
      (async function* () {
        yield { level: 'ERROR', message: 'failed', timestamp: '2026-01-31T00:00:00.000Z', flowId: 'a"b' };
      })(),
    );
  expect(await send(port)).toEqual({ size: 1 });
  await expect
    .poll(() => received)
    .toMatch(
      /^\d+ <131>1 2026-01-31T00:00:00.000Z \S+ millrace - - \[millrace@32473 flowId="a\\"b"\] failed$/,
    );
  expect(Number(received.split(' ', 1)[0])).toBe(received.length - received.indexOf(' ') - 1);
  await new Promise((resolve) => server.close(resolve));
  await expect(send(port)).rejects.toThrow('127.0.0.1');
});
