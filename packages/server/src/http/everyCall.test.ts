import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { form, sharedServer, type TestServer, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { multipart } from '../testing/multipart.ts';

/**
 * Every call of the API on an instance that has something of everything, with what it must respond: `page` is
 * `{results, total}`, `list` a JSON array, `{a,b}` an object with at least these keys, a number a status without a body,
 * and anything else the content type of a 200. Names in braces of a path are made by `makers`, new ones each time.
 */
const calls = `
GET executions/search                                    page
GET executions?namespace={ns}&flowId=main                page
GET executions/{seen}                                    {id,namespace,flowId,flowRevision,taskRunList,labels,state,originalId,deleted,metadata}
GET executions/{seen}/flow                               {id,namespace,revision,tasks,errors,finally,afterExecution,triggers}
GET executions/flows/{ns}/main                           {id,namespace,revision,disabled,deleted,tasks}
GET executions/{seen}/graph                              {nodes,edges,clusters}
GET executions/namespaces                                list
GET executions/namespaces/{ns}/flows                     list
GET executions/{seen}/follow                             text/event-stream
GET executions/{seen}/follow-dependencies                text/event-stream
GET executions/{seen}/file?path={uri}                    application/octet-stream
GET executions/{seen}/file/metas?path={uri}              {size}
GET executions/{seen}/file/preview?path={uri}            {extension,type,content,maxLine,truncated}
GET executions/export/by-query/csv                       text/csv
POST executions/{ns}/main                                {id,state,url,labels}
POST executions/trigger/{ns}/main                        {id,state,url}
POST executions/{ns}/main/validate                       {id,namespace,inputs}
POST executions/latest                                   list
POST executions/{failed}/restart                         {id,state,metadata}
POST executions/{seen}/replay                            {id,parentId,originalId}
POST executions/{seen}/replay-with-inputs                {id,parentId}
POST executions/{ended}/change-status?status=WARNING     {id,state}
POST executions/{failed}/labels                          {id,labels}
POST executions/{paused}/resume/validate                 {id,namespace,inputs}
POST executions/{paused}/resume                          204
POST executions/{paused}/force-run                       {id,state}
POST executions/{stopped}/resume-from-breakpoint         204
POST executions/{seen}/eval                              {result}
POST executions/{seen}/eval/{taskRun}                    {result}
POST expressions/render                                  {rendered}
DELETE executions/{paused}/kill                          202
DELETE executions/{ended}                                204
POST executions/restart/by-ids                           {count}
POST executions/resume/by-ids                            {count}
POST executions/replay/by-ids                            {count}
POST executions/change-status/by-ids?newStatus=WARNING   {count}
POST executions/force-run/by-ids                         {count}
POST executions/labels/by-ids                            {count}
DELETE executions/kill/by-ids                            {count}
DELETE executions/by-ids                                 {count}
POST executions/restart/by-query?q=nothing               {count}
POST executions/resume/by-query?q=nothing                {count}
POST executions/pause/by-query?q=nothing                 {count}
POST executions/replay/by-query?q=nothing                {count}
POST executions/change-status/by-query?q=nothing&newStatus=FAILED {count}
POST executions/unqueue/by-query?q=nothing               {count}
POST executions/force-run/by-query?q=nothing             {count}
POST executions/labels/by-query?q=nothing                {count}
DELETE executions/kill/by-query?q=nothing                {count}
DELETE executions/by-query?q=nothing                     {count}
GET executions/webhook/{ns}/main/a-long-webhook-key      {id,state,trigger}
POST executions/webhook/{ns}/main/a-long-webhook-key     {id,state,trigger}
PUT executions/webhook/{ns}/main/a-long-webhook-key      {id,state,trigger}
GET outputs/{seen}                                       {}
GET logs/search                                          page
GET logs/{seen}                                          list
GET logs/{seen}/download                                 text/plain
GET logs/{seen}/follow                                   text/event-stream
DELETE logs/{ended}                                      200
DELETE logs/{ns}/other                                   200
GET metrics/{seen}                                       page
GET metrics/names/{ns}/main                              list
GET metrics/names/{ns}/main/hello                        list
GET metrics/tasks/{ns}/main                              list
GET metrics/aggregates/{ns}/main/length                  {groupBy,aggregations}
GET metrics/aggregates/{ns}/main/hello/length            {groupBy,aggregations}
GET flows/search                                         page
GET flows/source?q=hello                                 page
GET flows/{ns}                                           list
GET flows/{ns}/main?source=true                          {id,namespace,revision,tasks,source,disabled,deleted}
GET flows/{ns}/main/revisions                            list
GET flows/{ns}/main/tasks/hello                          {id,type}
GET flows/{ns}/main/dependencies                         {nodes,edges}
GET flows/{ns}/main/graph                                {nodes,edges,clusters}
GET flows/distinct-namespaces                            list
GET flows/export/by-query?namespace={ns}                 application/octet-stream
GET flows/export/by-query/csv                            text/csv
POST flows/export/by-ids                                 application/octet-stream
POST flows/validate                                      list
POST flows/validate/task?section=TASKS                   {index,outdated}
POST flows/validate/trigger                              {index,outdated}
POST flows/graph                                         {nodes,edges,clusters}
POST flows                                               {id,namespace,revision,source}
PUT flows/{ns}/created                                   {id,revision,source}
PATCH flows/{ns}/created/t                               {id,revision,tasks}
POST flows/disable/by-ids                                {count}
POST flows/enable/by-ids                                 {count}
POST flows/disable/by-query?q=nothing                    {count}
POST flows/enable/by-query?q=nothing                     {count}
POST flows/import                                        list
POST flows/bulk?delete=false                             list
POST flows/{ns}?delete=false                             list
DELETE flows/{ns}/created/revisions?revisions=1          200
DELETE flows/delete/by-query?q=nothing                   {count}
DELETE flows/delete/by-ids                               {count}
GET namespaces/search                                    page
GET namespaces/{ns}                                      {id,deleted}
GET namespaces/{ns}/dependencies                         {nodes,edges}
POST namespaces/autocomplete                             list
PUT namespaces/{ns}/kv/other                             200
GET namespaces/{ns}/kv                                   list
GET namespaces/{ns}/kv/key                               {type,value}
GET namespaces/{ns}/kv/inheritance                       list
GET kv                                                   page
DELETE namespaces/{ns}/kv/other                          application/json
DELETE namespaces/{ns}/kv                                {keys}
GET namespaces/{ns}/secrets                              {readOnly,results,total}
GET namespaces/{ns}/inherited-secrets                    {}
POST namespaces/{ns}/files?path=/b.txt                   200
GET namespaces/{ns}/files?path=/a.txt                    application/octet-stream
PUT namespaces/{ns}/files?from=/b.txt&to=/c.txt          200
GET namespaces/{ns}/files/directory?path=/               list
POST namespaces/{ns}/files/directory?path=/folder        200
GET namespaces/{ns}/files/search?q=                      list
GET namespaces/{ns}/files/stats?path=/a.txt              {fileName,type,size,lastModifiedTime,creationTime}
GET namespaces/{ns}/files/revisions?path=/a.txt          list
GET namespaces/{ns}/files/export                         application/octet-stream
DELETE namespaces/{ns}/files?path=/c.txt                 200
DELETE namespaces/{ns}/files?path=/                      200
GET configs                                              {uuid,version,isCustomDashboardsEnabled,isTaskRunEnabled,isAnonymousUsageEnabled,isTemplateEnabled,preview,isBasicAuthEnabled,systemNamespace,hiddenLabelsPrefixes,resourceToFilters}
GET usages/all                                           {uuid,serverType,version,zoneId,startTime,host,configurations,plugins,flows,executions}
GET basicAuthValidationErrors                            list
GET pebble/filters                                       list
GET pebble/functions                                     list
GET plugins                                              list
GET plugins/groups/subgroups                             list
GET plugins/icons                                        {core.log.Log}
GET plugins/icons/groups                                 {core}
GET plugins/inputs                                       list
GET plugins/inputs/STRING                                {markdown,schema}
GET plugins/schemas/flow                                 {$schema,definitions}
GET plugins/core.log.Log                                 {markdown,schema}
GET plugins/core.log.Log/versions                        {type,versions}
GET plugins/core.log.Log/versions/1                      {markdown,schema}
GET plugins/properties/TASK                              {properties}
POST stats/summary                                       {flows,triggers}
POST stats/executions/daily                              list
POST stats/taskruns/daily                                list
POST stats/executions/daily/group-by-flow                {}
POST stats/executions/daily/group-by-namespace           {}
POST stats/executions/latest/group-by-flow               list
POST stats/logs/daily                                    list
POST templates                                           {namespace,id,tasks,deleted}
GET templates/search                                     page
GET templates/{ns}/made                                  {namespace,id,tasks,deleted}
PUT templates/{ns}/made                                  {id,tasks}
GET templates/distinct-namespaces                        list
POST templates/validate                                  list
GET templates/export/by-query                            application/octet-stream
POST templates/export/by-ids                             application/octet-stream
POST templates/import                                    204
DELETE templates/delete/by-query?q=nothing               {count}
DELETE templates/{ns}/made                               204
GET taskruns/search                                      page
GET triggers/search                                      page
GET triggers/{ns}/main                                   page
GET triggers/export/by-query/csv                         text/csv
PUT triggers                                             {namespace,flowId,triggerId,disabled}
POST triggers/{ns}/main/daily/restart                    {namespace,flowId,triggerId,disabled}
PUT triggers/backfill/pause                              {triggerId,backfill}
PUT triggers/backfill/unpause                            {triggerId,backfill}
POST triggers/backfill/delete                            {triggerId}
POST triggers/unlock/by-triggers                         {count}
POST triggers/unlock/by-query                            {count}
POST triggers/backfill/pause/by-triggers                 {count}
POST triggers/backfill/unpause/by-query                  {count}
POST triggers/backfill/delete/by-query                   {count}
POST triggers/set-disabled/by-triggers                   {count}
POST triggers/set-disabled/by-query?q=nothing            {count}
DELETE triggers/{ns}/main/daily                          204
POST dashboards/validate                                 {index,outdated}
POST dashboards/validate/chart                           {index,outdated}
POST dashboards/charts/preview                           page
POST dashboards/charts/export/to-csv                     text/csv
GET dashboards                                           page
GET dashboards/{board}                                   {id,title,timeWindow,charts,created,updated,deleted,sourceCode}
POST dashboards/{board}/charts/c                         page
POST dashboards/{board}/charts/c/export/to-csv           text/csv
PUT dashboards/{board}                                   {id,title,sourceCode}
DELETE dashboards/{board}                                204
GET blueprints/community/flow                            page
GET blueprints/community/flow/tags                       list
GET concurrency-limit/search                             page
GET executions/nope                                      404
GET flows/{ns}/nope                                      404
GET flows/search?page=0                                  422
GET flows/search?filters[nope][EQUALS]=x                 422
`;

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
  'POST flows/import': upload('fileUpload', 'flows.yml', flow('imported')),
  'POST flows/bulk': yaml(flow('bulk')),
  'POST flows/{ns}': yaml(flow('several')),
  'DELETE flows/delete/by-ids': json([{ namespace, id: 'imported' }]),
  'POST namespaces/autocomplete': json({ q: 'contract' }),
  'PUT namespaces/{ns}/kv/other': plain('42'),
  'DELETE namespaces/{ns}/kv': json({ keys: ['key'] }),
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
      const kind = byIds[call];
      if (kind === undefined) return bodies[call] ?? (call.startsWith('POST stats/') ? json({}) : {});
      const ids = [await makers[kind]()];
      return json(call.includes('/labels/') ? { executionsId: ids, executionLabels: labels } : ids);
    };
    const problems: string[] = [];
    for (const line of calls.trim().split('\n')) {
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
