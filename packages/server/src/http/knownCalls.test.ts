import { describe, expect, it } from 'vitest';
import { sharedServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

/**
 * Every call that clients of this API use: the web app, scripts of users, the published clients. A line is a
 * method and its paths. The test of the OpenAPI document checks that nothing else is mounted; this one checks
 * that nothing is missing.
 */
const calls = `
GET    executions/search executions executions/{id} executions/{id}/flow executions/flows/{ns}/{id}
GET    executions/{id}/graph executions/namespaces executions/namespaces/{ns}/flows executions/{id}/follow
GET    executions/{id}/file executions/{id}/file/metas executions/{id}/file/preview executions/{id}/follow-dependencies
GET    executions/{id}/events executions/{id}/waiting
GET    executions/current-tasks flows/{ns}/{id}/grid executions/export/by-query/json
GET    taskruns/export/by-query/csv taskruns/export/by-query/json logs/export/by-query/csv logs/export/by-query/json
GET    executions/export/by-query/csv flows/export/by-query/csv triggers/export/by-query/csv
POST   executions/{ns}/{id} executions/trigger/{ns}/{id} executions/{ns}/{id}/validate executions/latest
POST   executions/trigger/{ns}/{id}/validate
POST   executions/{id}/restart executions/{id}/replay executions/{id}/replay-with-inputs executions/{id}/change-status
POST   executions/{id}/state executions/{id}/resume executions/{id}/resume/validate executions/{id}/pause
POST   executions/{id}/unqueue executions/{id}/force-run executions/{id}/labels executions/{id}/resume-from-breakpoint
POST   executions/{id}/eval executions/{id}/eval/{task} expressions/render executions/{id}/taskruns/{task}/fork
GET    executions/{id}/taskruns/{task}/properties
DELETE executions/{id}/kill executions/{id}
POST   executions/{id}/actions/restart executions/{id}/actions/pause executions/{id}/actions/labels
DELETE executions/{id}/actions/kill
POST   executions/restart/by-ids executions/restart/by-query executions/resume/by-ids executions/resume/by-query
POST   executions/pause/by-ids executions/pause/by-query executions/replay/by-ids executions/replay/by-query
POST   executions/change-status/by-ids executions/change-status/by-query executions/unqueue/by-ids
POST   executions/unqueue/by-query executions/force-run/by-ids executions/force-run/by-query
POST   executions/labels/by-ids executions/labels/by-query
DELETE executions/kill/by-ids executions/kill/by-query executions/by-ids executions/by-query
GET    executions/webhook/{ns}/{id}/{key} executions/webhook/{ns}/{id}/{key}/more
POST   executions/webhook/{ns}/{id}/{key}
PUT    executions/webhook/{ns}/{id}/{key}
GET    logs/search logs/{id} logs/{id}/download logs/{id}/context logs/{id}/follow
DELETE logs/{id} logs/{ns}/{id}
GET    metrics/{id} metrics/names/{ns}/{id} metrics/names/{ns}/{id}/{task} metrics/tasks/{ns}/{id}
GET    metrics/aggregates/{ns}/{id}/{metric} metrics/aggregates/{ns}/{id}/{task}/{metric}
GET    flows/search flows/source flows/{ns} flows/tutorial flows/{ns}/{id} flows/{ns}/{id}/revisions
GET    flows/{ns}/{id}/tasks/{task} flows/{ns}/{id}/dependencies flows/{ns}/{id}/graph flows/distinct-namespaces
GET    flows/export/by-query
POST   flows flows/{ns} flows/bulk flows/import flows/export/by-ids flows/graph
POST   flows/disable/by-ids flows/disable/by-query flows/enable/by-ids flows/enable/by-query
POST   flows/validate flows/validate/task flows/validate/trigger
PUT    flows/{ns}/{id}
PATCH  flows/{ns}/{id}/{task}
DELETE flows/{ns}/{id} flows/delete/by-ids flows/delete/by-query flows/{ns}/{id}/revisions
GET    namespaces/search namespaces/{ns} namespaces/{ns}/dependencies
POST   namespaces/autocomplete
GET    namespaces/{ns}/kv namespaces/{ns}/kv/{key} namespaces/{ns}/kv/inheritance kv
PUT    namespaces/{ns}/kv/{key}
DELETE namespaces/{ns}/kv/{key} namespaces/{ns}/kv
GET    namespaces/{ns}/secrets namespaces/{ns}/inherited-secrets
GET    namespaces/{ns}/files namespaces/{ns}/files/directory namespaces/{ns}/files/search namespaces/{ns}/files/stats
GET    namespaces/{ns}/files/export namespaces/{ns}/files/revisions
POST   namespaces/{ns}/files namespaces/{ns}/files/directory
PUT    namespaces/{ns}/files
DELETE namespaces/{ns}/files
GET    configs usages/all sessions/current basicAuthValidationErrors pebble/filters pebble/functions
POST   basicAuth
GET    plugins plugins/groups/subgroups plugins/icons plugins/icons/groups plugins/inputs plugins/inputs/{type}
GET    plugins/schemas/{type} plugins/{type} plugins/{type}/versions plugins/{type}/versions/{version}
GET    plugins/properties/{type}
POST   stats/summary stats/executions/daily stats/taskruns/daily stats/executions/daily/group-by-flow
POST   stats/executions/daily/group-by-namespace stats/executions/latest/group-by-flow stats/logs/daily
GET    templates/search templates/{ns}/{id} templates/distinct-namespaces templates/export/by-query
POST   templates templates/{ns} templates/validate templates/export/by-ids templates/import
PUT    templates/{ns}/{id}
DELETE templates/{ns}/{id} templates/delete/by-ids templates/delete/by-query
GET    taskruns/search
GET    triggers/search triggers/{ns}/{id}
POST   triggers/{ns}/{id}/{trigger}/unlock triggers/{ns}/{id}/{trigger}/restart triggers/backfill/delete
POST   triggers/unlock/by-triggers triggers/unlock/by-query triggers/set-disabled/by-triggers
POST   triggers/set-disabled/by-query triggers/backfill/pause/by-triggers triggers/backfill/pause/by-query
POST   triggers/backfill/unpause/by-triggers triggers/backfill/unpause/by-query
POST   triggers/backfill/delete/by-triggers triggers/backfill/delete/by-query
PUT    triggers triggers/backfill/pause triggers/backfill/unpause triggers/set-disabled triggers/backfill/create
DELETE triggers/{ns}/{id}/{trigger} triggers/delete/by-triggers triggers/delete/by-query
GET    dashboards dashboards/{id}
POST   dashboards dashboards/validate dashboards/validate/chart dashboards/{id}/charts/{chart}
POST   dashboards/charts/preview dashboards/{id}/charts/{chart}/export/to-csv dashboards/charts/export/to-csv
PUT    dashboards/{id}
DELETE dashboards/{id}
GET    tests/search tests/{ns}/{id}
POST   tests tests/validate tests/run tests/record tests/{ns}/{id}/run
PUT    tests/{ns}/{id}
DELETE tests/{ns}/{id}
GET    blueprints/community blueprints/community/flow blueprints/community/flow/tags blueprints/community/flow/{id}
GET    blueprints/community/flow/{id}/source blueprints/community/flow/{id}/graph blueprints/tags
GET    blueprints/community/{id} blueprints/community/{id}/flow blueprints/community/{id}/graph
GET    outputs/{id} outputs/{id}/{task} concurrency-limit/search cluster/services/{id}
PUT    concurrency-limit/{ns}/{id}
GET    alerts/channels alerts/rules alerts/incidents alerts/deliveries alerts/document inbox inbox/count
GET    inbox/failures/{id}/executions calendar triggers/{ns}/{id}/{trigger}/dates
POST   alerts/channels/{id}/test alerts/document/validate inbox/marks inbox/failures/{id}/restart
PUT    alerts/channels/{id} alerts/rules/{id} alerts/document
DELETE alerts/channels/{id} alerts/rules/{id}
`;
/** Calls outside of the API. */
const others = `
GET    /v1/feeds /v1/config /v1/plugins/icons /v1/docs/a/b/versions/1 /v1/docs/a/versions/1/children
GET    /v1/docs/versions/1/children /v1/docs/versions/1/doc/flows /v1/docs/versions/1/search
POST   /v1/reports/events /oauth/access_token /login /logout
GET    /ping /health /api /swagger/openapi.json
`;
/** Calls that the open-source product does not have: they must not respond with success. */
const absent = `
GET    setup blueprints/custom blueprints/custom/x users roles/search
POST   namespaces
PUT    namespaces/{ns} namespaces/{ns}/secrets
DELETE namespaces/{ns}
`;

const parse = (table: string) =>
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [method = '', ...paths] = line.split(/\s+/);
      return paths.map((path) => ({ method, path: path.replace(/\{(\w+)\}/g, 'x$1') }));
    });

describe('the calls that clients know', () => {
  const shared = sharedServer(sqlite);
  // A route's own 404 names the missing object; the 404 of a missing route is always the same.
  const isMissing = async (method: string, url: string) => {
    const answer = await shared().app.inject({ method: method as 'GET', url, payloadAsStream: true });
    answer.stream().destroy();
    if (answer.statusCode === 405) return true;
    if (answer.statusCode !== 404) return false;
    const again = await shared().app.inject({ method: method as 'GET', url });
    return again.body.includes('there is nothing at this address');
  };
  const missing = async (table: string, roots: readonly string[]) => {
    const found: string[] = [];
    for (const { method, path } of parse(table)) {
      for (const root of roots) {
        if (await isMissing(method, root + path)) found.push(`${method} ${root}${path}`);
      }
    }
    return found;
  };

  it('are all answered, with and without the tenant', async () => {
    expect(await missing(calls, ['/api/v1/', '/api/v1/main/'])).toEqual([]);
    expect(await missing(others, [''])).toEqual([]);
  });

  it('are refused as unknown where this edition has nothing', async () => {
    const all = parse(absent).map(({ method, path }) => `${method} /api/v1/${path}`);
    expect(await missing(absent, ['/api/v1/'])).toEqual(all);
    expect(await missing('GET flows/search', ['/api/v1/other/'])).toEqual(['GET /api/v1/other/flows/search']);
  });
});
