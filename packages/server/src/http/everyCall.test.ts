import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { form, sharedServer, type TestServer, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { everyCall } from '../testing/everyCall.ts';
import { multipart } from '../testing/multipart.ts';

const namespace = 'contract.team';
const task = 'tasks:\n  - {id: t, type: core.log.Log, message: hi}\n';
const flow = (id: string, rest = task) => `id: ${id}\nnamespace: ${namespace}\n${rest}`;
const mainFlow = flow(
  'main',
  `inputs:
  - {id: name, type: STRING, defaults: you}
tasks:
  - {id: hello, type: core.debug.Return, format: "hello {{ inputs.name }}"}
  - {id: write, type: core.storage.Write, content: hello, extension: .txt}
triggers:
  - {id: daily, type: core.trigger.Schedule, cron: "0 3 1 1 *"}
  - {id: hook, type: core.trigger.Webhook, key: a-long-webhook-key}
`,
);
const chart =
  'id: c\ntype: core.dashboard.chart.Table\nchartOptions: {displayName: c}\ndata:\n  type: core.dashboard.data.Executions\n  columns:\n    n: {agg: COUNT}\n';
const board = `title: Board\ncharts:\n  - ${chart.trim().replaceAll('\n', '\n    ')}\n`;
const template = {
  id: 'made',
  namespace,
  tasks: [{ id: 't', type: 'core.log.Log', message: 'hi' }],
};
const suite = `id: main_test\nnamespace: ${namespace}\nflowId: main\ntestCases: [{id: a, assertions: [{state: SUCCESS}]}]\n`;
const key = { namespace, flowId: 'main', triggerId: 'daily' };
const labels = [{ key: 'a', value: 'b' }];
const json = (payload: unknown): Partial<InjectOptions> => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(payload),
});
const plain = (payload: string) => ({ headers: { 'content-type': 'text/plain' }, payload });
const upload = (name: string, fileName: string, content: string) => multipart({ name, fileName, content });

/** Bodies by the call as it is written above, or by its path without a query. */
const bodies: Readonly<Record<string, Partial<InjectOptions>>> = {
  'POST executions/latest': json([{ namespace, id: 'main' }]),
  'POST executions/{failed}/labels': json(labels),
  'POST executions/labels/by-query': json(labels),
  'POST executions/{seen}/eval': plain('{{ flow.id }}'),
  'POST executions/{seen}/eval/{taskRun}': plain('{{ taskrun.id }}'),
  'POST executions/{seen}/taskruns/{taskRun}/fork': json({ outputs: { value: 'edited' } }),
  'POST expressions/render': json({ expressions: ['{{ 1 + 1 }}'] }),
  'POST flows/export/by-ids': json([{ namespace, id: 'main' }]),
  'POST flows/validate': yaml(mainFlow),
  'POST flows/validate/task': yaml('id: t\ntype: core.log.Log\nmessage: hi\n'),
  'POST flows/validate/trigger': json({ id: 'd', type: 'core.trigger.Schedule', cron: '0 3 * * *' }),
  'POST flows/graph': yaml(mainFlow),
  'POST flows': yaml(flow('created')),
  'PUT flows/{ns}/created': yaml(flow('created', `description: changed\n${task}`)),
  'PATCH flows/{ns}/created/t': json({ id: 't', type: 'core.log.Log', message: 'new' }),
  'POST flows/disable/by-ids': json([{ namespace, id: 'created' }]),
  'POST flows/enable/by-ids': json([{ namespace, id: 'created' }]),
  'POST flows/{ns}/main/drafts': json({ source: 'half' }),
  'POST playground/{ns}/main/plan': json({ source: mainFlow, taskId: 'write' }),
  'POST playground/{ns}/main': json({ source: mainFlow, taskId: 'write' }),
  'POST flows/import': upload('fileUpload', 'flows.yml', flow('imported')),
  'POST flows/import/preview': upload('fileUpload', 'flows.yml', flow('previewed')),
  'POST flows/bulk': yaml(flow('bulk')),
  'POST flows/{ns}': yaml(flow('several')),
  'DELETE flows/delete/by-ids': json([{ namespace, id: 'imported' }]),
  'POST namespaces/autocomplete': json({ q: 'contract' }),
  'PUT namespaces/{ns}/kv/other': plain('42'),
  'DELETE namespaces/{ns}/kv': json({ keys: ['key'] }),
  'PUT namespaces/{ns}/secrets/NONE/expiration': json({ expirationDate: null }),
  'POST me/api-tokens': json({ name: 'ci' }),
  'POST namespaces/{ns}/files': upload('fileContent', 'b.txt', 'b'),
  'POST templates': json(template),
  'PUT templates/{ns}/made': json({ ...template, description: 'changed' }),
  'POST templates/validate': yaml(flow('checked')),
  'POST templates/export/by-ids': json([{ namespace, id: 'made' }]),
  'POST templates/import': upload('fileUpload', 't.yml', flow('uploaded')),
  'PUT triggers': json({ ...key, disabled: false, backfill: { start: '2020-01-01T00:00:00Z' } }),
  'PUT triggers/backfill/pause': json(key),
  'PUT triggers/backfill/unpause': json(key),
  'POST triggers/backfill/delete': json(key),
  'POST triggers/unlock/by-triggers': json([key]),
  'POST triggers/backfill/pause/by-triggers': json([key]),
  'POST triggers/set-disabled/by-triggers': json({ triggers: [key], disabled: false }),
  'POST dashboards/validate': yaml(board),
  'POST dashboards/validate/chart': yaml(chart),
  'POST dashboards/charts/preview': yaml(chart),
  'POST dashboards/charts/export/to-csv': yaml(chart),
  'POST dashboards/{board}/charts/c': json({}),
  'POST dashboards/{board}/charts/c/export/to-csv': json({}),
  'PUT dashboards/{board}': yaml(board.replace('Board', 'Changed')),
  'PUT instance/maintenance': json({ message: 'Upgrade' }),
  'PUT instance/log-level': json({ level: 'error' }),
  'POST tests': yaml(suite),
  'POST tests/validate': yaml(suite),
  'PUT tests/{ns}/main_test': yaml(`${suite}# changed\n`),
  'POST tests/run': json({ namespace }),
};
/** The calls for several executions by their ids, and the kind of execution that each can be done to. */
const byIds: Readonly<Record<string, keyof ReturnType<typeof makersOf>>> = {
  'POST executions/restart/by-ids': 'failed',
  'POST executions/resume/by-ids': 'paused',
  'POST executions/replay/by-ids': 'ended',
  'POST executions/change-status/by-ids': 'ended',
  'POST executions/force-run/by-ids': 'paused',
  'POST executions/labels/by-ids': 'ended',
  'DELETE executions/kill/by-ids': 'paused',
  'DELETE executions/by-ids': 'ended',
};

/** Executions in a state, new for each call. */
function makersOf(server: TestServer) {
  const start = async (flowId: string, query = '') => {
    const { body } = await server.call(
      'POST',
      `/executions/${namespace}/${flowId}${query}`,
      form({ name: 'x' }),
    );
    return String(body.id);
  };
  const startUntil = async (state: string, flowId: string, query = '') => {
    const id = await start(flowId, query);
    await server.waitForState(id, state);
    return id;
  };
  return {
    ended: () => start('main', '?wait=true'),
    failed: () => start('failing', '?wait=true'),
    paused: () => startUntil('PAUSED', 'pausing'),
    stopped: () => startUntil('BREAKPOINT', 'main', '?breakpoints=write'),
    server: async () => server.product.membership?.id ?? server.product.instanceId,
    board: async () => String((await server.call('POST', '/dashboards', yaml(board))).body.id),
  };
}

describe.each(databases)('every call of the API on $name', (database) => {
  const shared = sharedServer(database);

  it('responds with the documented status, content type and keys', { timeout: 180_000 }, async () => {
    const server = shared();
    const makers = makersOf(server);
    await server.saveFlow(mainFlow);
    await server.saveFlow(flow('failing', 'tasks:\n  - {id: ko, type: core.execution.Fail}\n'));
    await server.saveFlow(flow('pausing', 'tasks:\n  - {id: wait, type: core.flow.Pause}\n'));
    await server.call('PUT', `/namespaces/${namespace}/kv/key`, plain('"value"'));
    await server.call(
      'POST',
      `/namespaces/${namespace}/files?path=/a.txt`,
      upload('fileContent', 'a.txt', 'a'),
    );
    const seen = await makers.ended();
    const { taskRunList } = (await server.read(seen)) as unknown as {
      taskRunList: { id: string; outputs: { uri?: string } }[];
    };
    const fixed: Record<string, string> = {
      ns: namespace,
      seen,
      taskRun: taskRunList[0]?.id ?? '',
      uri: encodeURIComponent(String(taskRunList[1]?.outputs.uri)),
    };
    const fill = async (path: string) => {
      let filled = path;
      for (const [all, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        const made = fixed[name] ?? (await makers[name as keyof typeof makers]());
        filled = filled.replace(all, made);
      }
      return filled;
    };
    const bodyFor = async (call: string): Promise<Partial<InjectOptions>> => {
      if (call === 'POST tests/record') return json({ executionId: seen });
      const kind = byIds[call];
      if (kind === undefined) return bodies[call] ?? (call.startsWith('POST stats/') ? json({}) : {});
      const ids = [await makers[kind]()];
      return json(call.includes('/labels/') ? { executionsId: ids, executionLabels: labels } : ids);
    };
    const problems: string[] = [];
    for (const line of everyCall.trim().split('\n')) {
      const [method = '', path = '', expected = ''] = line.split(/\s+/);
      const body = await bodyFor(`${method} ${path.split('?')[0]}`);
      const response = await server.app.inject({
        ...body,
        method,
        url: `/api/v1/main/${await fill(path)}`,
        payloadAsStream: expected === 'text/event-stream',
      } as InjectOptions);
      if (expected === 'text/event-stream') response.stream().destroy();
      const problem = differenceTo(response, expected);
      if (problem !== undefined) problems.push(`${method} ${path}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});

interface Received {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The difference between a response and the table; undefined without one. */
function differenceTo({ statusCode, headers, body }: Received, expected: string): string | undefined {
  const type = String(headers['content-type'] ?? '');
  const wanted = /^\d+$/.test(expected) ? Number(expected) : 200;
  if (statusCode !== wanted) return `${statusCode} instead of ${wanted}: ${body.slice(0, 200)}`;
  if (wanted >= 400) return type.includes('json') && 'message' in JSON.parse(body) ? undefined : 'no message';
  if (/^\d+$/.test(expected)) return body === '' ? undefined : `a body: ${body.slice(0, 100)}`;
  const isJson = /^(page|list|\{.*\})$/.test(expected);
  if (!isJson) return type.startsWith(expected) ? undefined : `content type ${type}`;
  if (!type.startsWith('application/json')) return `content type ${type}`;
  const value = JSON.parse(body) as object;
  if (expected === 'list') return Array.isArray(value) ? undefined : 'no list';
  const keys = expected === 'page' ? ['results', 'total'] : expected.slice(1, -1).split(',').filter(Boolean);
  const missing = keys.filter((name) => !(name in value));
  return missing.length === 0 ? undefined : `without ${missing.join(', ')}`;
}
