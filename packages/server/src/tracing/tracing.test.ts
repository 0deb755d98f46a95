import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';
import { silentLog } from '../testing/silentLog.ts';
import { SpanExporter } from './exporter.ts';
import { readTraceParent } from './traceParent.ts';
import { openTracing } from './tracing.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { code: number };
  readonly attributes: { key: string; value: Record<string, unknown> }[];
}

/** Receives the spans that a server exports. */
async function aCollector() {
  const spans: Span[] = [];
  const paths = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    paths.add(`${request.url} ${request.headers['x-key']}`);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    spans.push(...resourceSpans[0].scopeSpans[0].spans);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { spans, paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('tracing', () => {
  it('sends a request, its execution and the tasks of it as one trace', async () => {
    const collector = await aCollector();
    const server = await aServer(sqlite, {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b' },
    });
    const tasks =
      'tasks:\n  - id: one\n    type: core.log.Log\n    message: x\n  - id: two\n    type: core.execution.Fail\n';
    await server.saveFlow(aFlow('traced', tasks));
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body } = await server.call('POST', '/executions/company.team/traced?wait=true', {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    expect(readTraceParent(String(body.traceParent))?.traceId).toBe(traceId);
    await server.product.tracing?.close();
    const trace = collector.spans.filter((span) => span.traceId === traceId);
    const find = (name: string) => trace.find((span) => span.name === name);
    const request = find('POST /api/v1/executions/:namespace/:id');
    const execution = find('company.team.traced');
    expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', status: { code: 1 } });
    expect(execution).toMatchObject({ parentSpanId: request?.spanId, status: { code: 2 } });
    expect(find('one')).toMatchObject({ parentSpanId: execution?.spanId, status: { code: 1 } });
    expect(find('two')).toMatchObject({ parentSpanId: execution?.spanId, status: { code: 2 } });
    expect(execution?.attributes).toContainEqual({
      key: 'millrace.execution.id',
      value: { stringValue: body.id },
    });
    expect([...collector.paths]).toEqual(['/v1/traces a b']);
  });

  it('is off unless the environment names a collector', () => {
    const open = (env: Record<string, string>) => openTracing(env, Date.now, silentLog);
    expect(open({})).toBeUndefined();
    expect(open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' })).toBeUndefined();
    expect(open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it('keeps a bounded number of spans while the collector is down, and says so once', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
    const options = { url: 'http://127.0.0.1:1/v1/traces', headers: {}, serviceName: 'x', version: '1' };
    const exporter = new SpanExporter(options, log);
    const span = {
      traceId: 'a',
      spanId: 'b',
      parentSpanId: undefined,
      name: 'x',
      kind: 'internal',
      startedAt: 1,
      endedAt: 2,
      attributes: {},
    } as const;
    for (let n = 0; n < 20_000; n++) exporter.add(span);
    await exporter.close();
    expect(warnings).toEqual(['Traces cannot be sent.']);
  });

  it.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
    ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
    ['nonsense', false],
  ])('reads %s: %s', (text, isRead) => {
    expect(readTraceParent(text) !== undefined).toBe(isRead);
  });
});
