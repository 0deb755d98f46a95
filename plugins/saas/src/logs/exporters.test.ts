import { readInput } from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import {
  aServiceContext,
  checkExchanges,
  type Exchange,
  expectExchanges,
  startServices,
} from '../testing/exchange.ts';
import { logExporters } from './exporters.ts';

startServices();

const line = {
  namespace: 'company',
  flowId: 'f',
  executionId: 'e1',
  level: 'WARN',
  message: 'slow',
  timestamp: '2026-01-31T00:00:00.000Z',
};

async function exportLines(
  type: string,
  properties: Readonly<Record<string, unknown>>,
  exchanges: readonly Exchange[],
  context = aServiceContext(),
) {
  const exporter = logExporters.find((each) => each.type === type);
  if (!exporter) throw new Error(`No exporter ${type}`);
  const { received } = expectExchanges(exchanges);
  const lines = (async function* () {
    yield line;
  })();
  const output = await exporter.export(context, readInput(exporter.type, exporter.input, properties), lines);
  checkExchanges(received, exchanges);
  return output;
}

test('lines arrive as each service wants them', async () => {
  const facts = { namespace: 'company', flowId: 'f', executionId: 'e1' };
  const timestamp = Date.parse(line.timestamp);
  expect(
    await exportLines('datadog.LogExporter', { apiKey: 'k' }, [
      {
        asks: 'POST https://http-intake.logs.datadoghq.com/api/v2/logs',
        headers: { 'dd-api-key': 'k' },
        sends: [
          { ...facts, message: 'slow', status: 'warn', timestamp, service: 'Millrace', ddsource: 'Millrace' },
        ],
      },
    ]),
  ).toEqual({ size: 1 });
  await exportLines('splunk.LogExporter', { host: 'https://splunk:8088', token: 't' }, [
    {
      asks: 'POST https://splunk:8088/services/collector/event',
      headers: { authorization: 'Splunk t' },
      sends: { time: timestamp / 1000, source: 'Millrace', sourcetype: '_json', event: line },
    },
  ]);
  await exportLines('newrelic.LogExporter', { apiKey: 'k' }, [
    {
      asks: 'POST https://log-api.newrelic.com/log/v1',
      headers: { 'api-key': 'k' },
      sends: [
        {
          common: { attributes: { service: 'millrace' } },
          logs: [{ timestamp, message: 'slow', attributes: { ...facts, level: 'WARN' } }],
        },
      ],
    },
  ]);
  await exportLines(
    'opentelemetry.LogExporter',
    {
      otlpEndpoint: 'http://otel:4318/v1/logs',
      authorizationHeaderName: 'X-Key',
      authorizationHeaderValue: 's',
    },
    [
      {
        asks: 'POST http://otel:4318/v1/logs',
        headers: { 'x-key': 's' },
        sends: expect.objectContaining({
          resourceLogs: [
            expect.objectContaining({
              scopeLogs: [
                expect.objectContaining({
                  logRecords: [
                    expect.objectContaining({
                      timeUnixNano: `${timestamp}000000`,
                      severityNumber: 13,
                      body: { stringValue: 'slow' },
                    }),
                  ],
                }),
              ],
            }),
          ],
        }),
      },
    ],
  );
});

test('a refused request fails, so that the lines are sent again', async () => {
  await expect(
    exportLines('datadog.LogExporter', { apiKey: 'wrong' }, [
      { asks: '', status: 403, replies: { errors: ['Forbidden'] } },
    ]),
  ).rejects.toThrow('Datadog');
});

test('lines that a collector rejects of a request that it took are reported and not counted', async () => {
  const partial = (partialSuccess: object, context = aServiceContext()) => {
    const exchange = {
      asks: 'POST http://otel:4318/v1/logs',
      sends: expect.anything(),
      replies: { partialSuccess },
    };
    return exportLines(
      'opentelemetry.LogExporter',
      { otlpEndpoint: 'http://otel:4318' },
      [exchange],
      context,
    );
  };
  const context = aServiceContext();
  const rejected = { rejectedLogRecords: '1', errorMessage: 'too old' };
  expect(await partial(rejected, context)).toEqual({ size: 0 });
  expect(context.logs).toEqual([
    { level: 'WARN', message: 'an OpenTelemetry collector refused 1 of 1 lines: too old' },
  ]);
  const whole = aServiceContext();
  expect(await partial({}, whole)).toEqual({ size: 1 });
  expect(whole.logs).toEqual([]);
});
