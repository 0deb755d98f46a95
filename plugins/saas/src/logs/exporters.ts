import {
  batchesOf,
  defineLogExporter,
  type JsonMap,
  type LogExporterDefinition,
  type LogLine,
  mapIn,
  type TaskContext,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { createRestClient } from '../rest/client.ts';
import { type InputOf, may, need, type Properties, preset } from '../rest/properties.ts';

interface Target<P extends Properties> {
  readonly name: string;
  readonly type: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly properties: P;
  readonly example: readonly string[];
  readonly baseUrl: (input: InputOf<P>) => string;
  readonly path: string;
  readonly headers: (input: InputOf<P>) => Readonly<Record<string, string | undefined>>;
  /** The body of a request with these lines: JSON, or text with its own form. */
  readonly body: (lines: readonly LogLine[], input: InputOf<P>) => unknown;
  /** The lines that the service refused although it took the request. They are not sent again: it would refuse them again. */
  readonly refused?: (response: JsonMap) => { readonly count: number; readonly reason: string };
  /** The largest request that the service takes, when it is smaller than usual. */
  readonly maxBytes?: number;
}

const chunk = preset.integer(1_000, 'The most lines of a request.');
/** Datadog takes 5 MB. */
const usualBytes = 4 * 1_048_576;

function defineExporter<P extends Properties>(target: Target<P>): LogExporterDefinition {
  const { name, type, aliases, description, example } = target;
  const properties = { ...target.properties, chunk };
  return defineLogExporter({
    type,
    aliases,
    title: `Send the log to ${name}`,
    description: `${description} A request that is refused fails the task, and the next run sends its lines again. Returns \`size\`.`,
    input: () =>
      z.object(
        Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, property.schema()])),
      ),
    examples: [
      {
        title: `To ${name}.`,
        runs: false,
        code: `id: ship_logs
namespace: system

tasks:
  - id: ship
    type: core.log.LogShipper
    logExporters:
      - id: target
        type: ${type}
${example.map((line) => `        ${line}`).join('\n')}

triggers:
  - id: every_minute
    type: core.trigger.Schedule
    cron: "* * * * *"
`,
      },
    ],
    export: (context, read, lines) => {
      // `as`: the schema was made of these properties.
      const input = read as InputOf<P> & { readonly chunk: number };
      for (const [key, { isSecret }] of Object.entries(target.properties))
        if (isSecret && typeof read[key] === 'string') context.masker.add(read[key]);
      return sendLines(context, target, input, lines);
    },
  });
}

async function sendLines<P extends Properties>(
  context: TaskContext,
  target: Target<P>,
  input: InputOf<P> & { readonly chunk: number },
  lines: AsyncIterable<LogLine>,
): Promise<{ readonly size: number }> {
  const client = createRestClient(context, { name: target.name, baseUrl: target.baseUrl(input) });
  const sizeOf = (line: LogLine) => JSON.stringify(line).length + 200;
  let size = 0;
  const limits = { count: input.chunk, bytes: target.maxBytes ?? usualBytes, sizeOf };
  for await (const batch of batchesOf(lines, limits)) {
    const body = target.body(batch, input);
    const headers = target.headers(input);
    const response = await client.ask({
      method: 'POST',
      path: target.path,
      ...(typeof body === 'string'
        ? { content: body, headers: { 'content-type': 'application/json', ...headers } }
        : { body, headers }),
    });
    const { count = 0, reason = '' } = target.refused?.(response) ?? {};
    if (count > 0 || reason !== '')
      await context.log(
        'WARN',
        `${target.name} refused ${count} of ${batch.length} lines: ${reason || 'it gave no reason'}`,
      );
    size += batch.length - count;
  }
  return { size };
}

const textIn = (line: LogLine, name: string): string => String(line[name] ?? '');
const millisOf = (line: LogLine): number => Date.parse(textIn(line, 'timestamp')) || Date.now();
/** The names and ids of a line, without its text. */
const factsOf = ({ message: _, timestamp: __, level: ___, ...facts }: LogLine): Record<string, unknown> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null));

const datadog = defineExporter({
  name: 'Datadog',
  type: 'datadog.LogExporter',
  aliases: ['ee.datadog.LogExporter'],
  description: 'Sends the lines to the log intake of Datadog.',
  properties: {
    apiKey: need.secret('An API key.'),
    basePath: preset.text(
      'https://http-intake.logs.datadoghq.com',
      'The address of the log intake of your site.',
    ),
    service: preset.text('Millrace', 'The service of the lines.'),
    source: preset.text('Millrace', 'The source of the lines.'),
  },
  example: ['basePath: https://http-intake.logs.datadoghq.eu', 'apiKey: "{{ secret(\'DATADOG_API_KEY\') }}"'],
  baseUrl: ({ basePath }) => basePath,
  path: '/api/v2/logs',
  headers: ({ apiKey }) => ({ 'dd-api-key': apiKey }),
  body: (lines, { service, source }) =>
    lines.map((line) => ({
      ...factsOf(line),
      message: textIn(line, 'message'),
      status: textIn(line, 'level').toLowerCase(),
      timestamp: millisOf(line),
      service,
      ddsource: source,
    })),
});

const splunk = defineExporter({
  name: 'Splunk',
  type: 'splunk.LogExporter',
  aliases: ['ee.splunk.LogExporter'],
  description: 'Sends the lines to the HTTP Event Collector of Splunk.',
  properties: {
    host: need.text('The address of the collector, such as `https://splunk.example.com:8088`.'),
    token: need.secret('The token of the collector.'),
    source: preset.text('Millrace', 'The source of the events.'),
    index: may.text('The index; that of the token when absent.'),
  },
  example: ['host: https://splunk.example.com:8088', 'token: "{{ secret(\'SPLUNK_TOKEN\') }}"'],
  baseUrl: ({ host }) => host,
  path: '/services/collector/event',
  headers: ({ token }) => ({ authorization: `Splunk ${token}` }),
  body: (lines, { source, index }) =>
    lines
      .map((line) =>
        JSON.stringify({ time: millisOf(line) / 1000, source, sourcetype: '_json', index, event: line }),
      )
      .join('\n'),
});

const newrelic = defineExporter({
  name: 'New Relic',
  type: 'newrelic.LogExporter',
  aliases: ['ee.newrelic.LogExporter'],
  description: 'Sends the lines to the Log API of New Relic.',
  properties: {
    apiKey: need.secret('A license key.'),
    basePath: preset.text('https://log-api.newrelic.com', 'The address of the Log API of your region.'),
  },
  example: ['basePath: https://log-api.eu.newrelic.com', 'apiKey: "{{ secret(\'NEW_RELIC_KEY\') }}"'],
  baseUrl: ({ basePath }) => basePath,
  path: '/log/v1',
  // New Relic refuses requests over 1 MB.
  maxBytes: 900_000,
  headers: ({ apiKey }) => ({ 'api-key': apiKey }),
  body: (lines) => [
    {
      common: { attributes: { service: 'millrace' } },
      logs: lines.map((line) => ({
        timestamp: millisOf(line),
        message: textIn(line, 'message'),
        attributes: { ...factsOf(line), level: textIn(line, 'level') },
      })),
    },
  ],
});

/** The numbers of OpenTelemetry for levels. */
const severities: Readonly<Record<string, number>> = { TRACE: 1, DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 };

const opentelemetry = defineExporter({
  name: 'an OpenTelemetry collector',
  type: 'opentelemetry.LogExporter',
  aliases: ['ee.opentelemetry.LogExporter'],
  description:
    'Sends the lines over OTLP (HTTP with JSON) to a collector. Lines that the collector rejects are logged as a warning and not sent again.',
  properties: {
    otlpEndpoint: need.text('The address of the collector, such as `https://otel.example.com:4318`.'),
    authorizationHeaderName: may.text('The header of the login.'),
    authorizationHeaderValue: may.secret('The value of that header.'),
    serviceName: preset.text('Millrace', 'The name of the service.'),
  },
  example: [
    'otlpEndpoint: https://otel.example.com:4318',
    'authorizationHeaderName: Authorization',
    'authorizationHeaderValue: "Bearer {{ secret(\'OTLP_TOKEN\') }}"',
  ],
  baseUrl: ({ otlpEndpoint }) => otlpEndpoint.replace(/\/v1\/logs\/?$/, ''),
  path: '/v1/logs',
  headers: ({ authorizationHeaderName: name, authorizationHeaderValue: value }) =>
    name !== undefined && value !== undefined ? { [name.toLowerCase()]: value } : {},
  body: (lines, { serviceName }) => ({
    resourceLogs: [
      {
        resource: { attributes: [attribute('service.name', serviceName)] },
        scopeLogs: [
          {
            scope: { name: 'millrace' },
            logRecords: lines.map((line) => ({
              timeUnixNano: `${millisOf(line)}000000`,
              severityNumber: severities[textIn(line, 'level')] ?? 9,
              severityText: textIn(line, 'level'),
              body: { stringValue: textIn(line, 'message') },
              attributes: Object.entries(factsOf(line)).map(([key, value]) => attribute(key, value)),
            })),
          },
        ],
      },
    ],
  }),
  // A number of 64 bits is a text in the JSON of Protocol Buffers.
  refused: (response) => {
    const { rejectedLogRecords, errorMessage } = mapIn(response.partialSuccess);
    return { count: Number(rejectedLogRecords ?? 0) || 0, reason: String(errorMessage ?? '') };
  },
});

const attribute = (key: string, value: unknown) => ({
  key,
  value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
});

export const logExporters = [datadog, splunk, newrelic, opentelemetry];
