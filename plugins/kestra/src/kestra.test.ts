import type { OutboundRequest } from '@millrace/plugin-kit';
import { readTypedRows } from '@millrace/plugin-kit';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import {
  countExecutions,
  deleteExecution,
  killExecution,
  queryExecutions,
  resumeExecution,
} from './executions.ts';
import {
  exportFlows,
  exportFlowsById,
  fetchLogs,
  listFlows,
  listNamespaces,
  namespacesWithFlows,
  toggleTrigger,
} from './flowsAndMore.ts';
import { scheduleMonitor } from './scheduleMonitor.ts';

type Reply = { status?: number; json?: unknown; bytes?: string };

/** A server that responds by method and path and records its requests. */
function aServer(replies: Readonly<Record<string, Reply | ((url: URL) => Reply)>>, configuration = {}) {
  const requests: OutboundRequest[] = [];
  const context = aTaskContext({
    configuration: () => configuration,
    fetch: async (request) => {
      requests.push(request);
      const url = new URL(request.url);
      const found = replies[`${request.method} ${url.pathname.replace('/api/v1/main', '')}`];
      const reply =
        typeof found === 'function' ? found(url) : (found ?? { status: 404, json: { message: 'not found' } });
      const body = reply.bytes ?? (reply.json === undefined ? '' : JSON.stringify(reply.json));
      return { status: reply.status ?? 200, url: request.url, headers: {}, body: once(body) };
    },
  });
  return { context, requests };
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const queryOf = (request: OutboundRequest | undefined) => [...new URL(request?.url ?? '').searchParams];

describe('who is asked, and as whom', () => {
  const replies = { 'GET /flows/distinct-namespaces': { json: ['company', 'other'] } };

  test('this machine without credentials by default', async () => {
    const { context, requests } = aServer(replies);
    expect(await runType(namespacesWithFlows, { prefix: 'comp' }, context)).toEqual({
      namespaces: ['company'],
    });
    expect(requests[0]?.url).toBe('http://localhost:8080/api/v1/main/flows/distinct-namespaces?q=comp');
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('the configured server and credentials, unless the task says otherwise', async () => {
    const configuration = { url: 'https://flows.example.com/', username: 'ada', password: 's3cret' };
    const { context, requests } = aServer(replies, configuration);
    await runType(namespacesWithFlows, {}, context);
    expect(requests[0]?.url).toContain('https://flows.example.com/api/v1/main/');
    expect(requests[0]?.headers?.authorization).toBe(`Basic ${Buffer.from('ada:s3cret').toString('base64')}`);
    expect(context.masker.mask('it is s3cret')).not.toContain('s3cret');
    await runType(namespacesWithFlows, { auth: { apiToken: 'token1' }, kestraUrl: 'http://other' }, context);
    expect(requests[1]?.headers?.authorization).toBe('Bearer token1');
    await runType(namespacesWithFlows, { auth: { auto: false } }, context);
    expect(requests[2]?.headers).not.toHaveProperty('authorization');
  });

  test('a refusal says what to check', async () => {
    const { context } = aServer({
      'GET /flows/distinct-namespaces': { status: 401, json: { message: 'Unauthorized' } },
    });
    await expect(runType(namespacesWithFlows, {}, context)).rejects.toThrow(
      'GET /flows/distinct-namespaces failed with status 401: Unauthorized Check "auth".',
    );
    const page = aServer({ 'GET /flows/distinct-namespaces': { bytes: '<html>' } });
    await expect(runType(namespacesWithFlows, {}, page.context)).rejects.toThrow('did not answer with JSON');
  });
});

describe('executions', () => {
  test('are counted over namespaces', async () => {
    const { context, requests } = aServer({ 'GET /executions/search': { json: { total: 3, results: [] } } });
    const properties = { namespaces: ['a', 'b'], states: ['FAILED', 'KILLED'], flowId: 'f' };
    expect(await runType(countExecutions, properties, context)).toEqual({ count: 6 });
    expect(queryOf(requests[1])).toEqual([
      ['namespace', 'b'],
      ['flowId', 'f'],
      ['state', 'FAILED'],
      ['state', 'KILLED'],
      ['page', '1'],
      ['size', '1'],
    ]);
    expect(await runType(countExecutions, { expression: '{{ count > 10 }}' }, context)).toEqual({ count: 0 });
  });

  const pages = (url: URL) => {
    const page = Number(url.searchParams.get('page'));
    return { json: { total: 3, results: page === 1 ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'c' }] } };
  };

  test('are found page after page, stored or returned', async () => {
    const { context, requests } = aServer({ 'GET /executions/search': pages });
    const stored = await runType(
      queryExecutions,
      { size: 2, labels: { team: 'x' }, timeRange: 'PT1H', flowScopes: ['USER'] },
      context,
    );
    expect(stored.size).toBe(3);
    const rows = [];
    for await (const row of readTypedRows(context, String(stored.uri))) rows.push(row);
    expect(rows).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    expect(queryOf(requests[0])).toEqual([
      ['scope', 'USER'],
      ['timeRange', 'PT3600S'],
      ['labels', 'team:x'],
      ['page', '1'],
      ['size', '2'],
    ]);
    expect(await runType(queryExecutions, { page: 1, size: 2, fetchType: 'FETCH' }, context)).toEqual({
      rows: [{ id: 'a' }, { id: 'b' }],
      size: 2,
    });
    expect(await runType(queryExecutions, { size: 2, fetchType: 'FETCH_ONE' }, context)).toEqual({
      row: { id: 'a' },
      size: 1,
    });
  });

  test('are killed, deleted and resumed', async () => {
    const { context, requests } = aServer({
      'DELETE /executions/x/kill': { status: 202 },
      'DELETE /executions/x': { status: 204 },
      'POST /executions/x/resume': { status: 204 },
    });
    await runType(killExecution, { executionId: 'x', propagateKill: false }, context);
    expect(queryOf(requests[0])).toEqual([['isOnKillCascade', 'false']]);
    await runType(deleteExecution, { executionId: 'x', deleteLogs: false }, context);
    expect(queryOf(requests[1])).toContainEqual(['deleteLogs', 'false']);
    await expect(runType(deleteExecution, { executionId: 'execution1' }, context)).rejects.toThrow(
      'cannot delete itself',
    );
    await runType(resumeExecution, { executionId: 'x', inputs: { approved: true, note: 'ok' } }, context);
    expect(requests[2]?.headers?.['content-type']).toContain('multipart/form-data; boundary=');
    expect(String(requests[2]?.body)).toContain('name="note"\r\n\r\nok\r\n');
    await expect(runType(killExecution, { executionId: 'y' }, context)).rejects.toThrow(
      'status 404: not found',
    );
  });
});

test('flows are listed and exported', async () => {
  const { context, requests } = aServer({
    'GET /flows/search': { json: { results: [{ id: 'f' }] } },
    'GET /flows/export/by-query': { bytes: 'zip1' },
    'POST /flows/export/by-ids': { bytes: 'zip2' },
  });
  expect(await runType(listFlows, { namespace: 'company' }, context)).toEqual({ flows: [{ id: 'f' }] });
  const all = await runType(exportFlows, { labels: ['a:b'] }, context);
  expect(await context.files.text(String(all.flowsZip))).toBe('zip1');
  const flows = [{ namespace: 'n', id: 'f' }];
  expect(
    await context.files.text(String((await runType(exportFlowsById, { flows }, context)).flowsZip)),
  ).toBe('zip2');
  expect(requests[2]?.body).toBe(JSON.stringify(flows));
});

test('logs are stored, of the current execution by default', async () => {
  const entries = [
    { taskId: 'a', message: '1' },
    { taskId: 'b', message: '2' },
  ];
  const { context, requests } = aServer({
    'GET /logs/execution1': { json: entries },
    'GET /logs/search': { json: { results: entries } },
  });
  expect((await runType(fetchLogs, { tasksId: ['b'], level: 'ERROR' }, context)).size).toBe(1);
  expect(queryOf(requests[0])).toEqual([['minLevel', 'ERROR']]);
  expect((await runType(fetchLogs, { namespace: 'n' }, context)).size).toBe(2);
});

test('namespaces are listed and triggers switched', async () => {
  const { context, requests } = aServer({
    'GET /namespaces/search': { json: { results: [{ id: 'company.a' }, { id: 'x.company' }] } },
    'PUT /triggers': { json: {} },
  });
  expect(await runType(listNamespaces, { prefix: 'company' }, context)).toEqual({
    namespaces: ['company.a'],
  });
  await runType(toggleTrigger, { trigger: 't', enabled: true }, context);
  expect(JSON.parse(String(requests[1]?.body))).toEqual({
    namespace: 'company.team',
    flowId: 'a_flow',
    triggerId: 't',
    disabled: false,
  });
  await expect(runType(toggleTrigger, {}, context)).rejects.toThrow('"trigger" is needed');
});

test('schedules that are late start an execution', async () => {
  const late = new Date(Date.now() - 3_600_000).toISOString();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const entry = (triggerId: string, nextExecutionDate: string, more = {}) => ({
    abstractTrigger: { type: 'io.kestra.plugin.core.trigger.Schedule' },
    triggerContext: { namespace: 'n', flowId: 'f', triggerId, nextExecutionDate, date: late, ...more },
  });
  const results = [
    entry('late', late),
    entry('fine', soon),
    entry('off', late, { disabled: true }),
    { ...entry('hook', late), abstractTrigger: { type: 'Webhook' } },
  ];
  const { context } = aServer({ 'GET /triggers/search': { json: { results } } });
  const poll = (properties: object) =>
    scheduleMonitor.poll?.(context, scheduleMonitor.input.parse(properties));
  expect(await poll({})).toEqual({
    data: [{ namespace: 'n', flowId: 'f', triggerId: 'late', lastExecution: late, expectedNext: late }],
  });
  expect(await poll({ allowedDelay: 'PT2H' })).toBeUndefined();
  expect((await poll({ allowedDelay: 'PT2H', maxExecutionInterval: 'PT30M' }))?.data).toHaveLength(2);
});
