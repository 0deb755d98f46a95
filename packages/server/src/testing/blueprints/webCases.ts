import { expect } from 'vitest';
import { yaml } from '../aServer.ts';
import type { Case, Cases, Running } from './case.ts';

/** Blueprints whose only other side is HTTP. */
const served = (replies: Readonly<Record<string, unknown>>, more: Case): Case => ({
  ...more,
  before: async (running) => {
    for (const [call, body] of Object.entries(replies)) running.services.internet.on(call, { body });
    await more.before?.(running);
  },
});

const sent = ({ services }: Running, call: string | RegExp) => services.internet.bodiesOf(call);

/** An execution that fails, for flows that watch others. */
export const failIn = async ({ server }: Running, namespace: string): Promise<void> => {
  const source = `id: failing\nnamespace: ${namespace}\ntasks:\n  - id: fail\n    type: core.execution.Fail\n    errorMessage: The file is broken.\n`;
  // An earlier case may have saved it.
  await server.call('POST', '/flows', yaml(source));
  await server.call('POST', `/executions/${namespace}/failing`);
};

const sheet = 'id,value\n1,2\n2,4\n';
const slack = 'https://hooks.slack.example.com/services/x';

export const webCases: Cases = {
  'api-to-csv': served(
    {
      'GET https://api.example.com/orders': [
        {
          id: 1,
          customer: { name: 'Ada' },
          lines: [
            { price: 2, quantity: 3 },
            { price: 1, quantity: 1 },
          ],
        },
        { id: 2, customer: { name: 'Grace' }, lines: [{ price: 5, quantity: 1 }] },
      ],
    },
    {
      check: async (ended) =>
        expect(String(await ended.file(ended.output('csv').uri))).toMatch(/1;Ada;7[\s\S]*2;Grace;5/),
    },
  ),
  'backup-of-all-flows': {
    before: ({ server, services }) => {
      // The default address of the product's own API.
      services.internet.on(/^GET http:\/\/localhost:8080\//, async ({ call, query }) => {
        const url = `${call.slice('GET http://localhost:8080'.length)}?${query}`;
        const answer = await server.app.inject({ method: 'GET', url });
        return { status: answer.statusCode, body: answer.rawPayload };
      });
    },
    check: async (ended) =>
      expect((await ended.file(ended.output('export').flowsZip)).subarray(0, 2).toString()).toBe('PK'),
  },
  'call-an-api': served(
    { 'GET https://api.example.com/status': { status: 'all good' } },
    { check: ({ messages }) => expect(messages).toContain('all good') },
  ),
  'daily-report-in-notion': served(
    {
      'GET https://api.stripe.com/v1/balance': { available: [{ amount: 5, currency: 'eur' }], pending: [] },
      'GET https://api.airtable.com/v0/appOrders/Orders': { records: [{ id: 'r1', fields: { Name: 'a' } }] },
      'POST https://api.notion.com/v1/pages': {
        id: 'p1',
        url: 'https://notion.so/p1',
        object: 'page',
        properties: {},
      },
    },
    {
      check: (_, running) => expect(JSON.stringify(sent(running, /notion/))).toContain('1 new orders today'),
    },
  ),
  'deploy-with-argo-cd': served(
    {
      'POST https://argocd.example.com/api/v1/applications/shop/sync': {},
      'GET https://argocd.example.com/api/v1/applications/shop': {
        status: {
          sync: { status: 'Synced', revision: 'abc' },
          health: { status: 'Healthy' },
          operationState: { phase: 'Succeeded', syncResult: { revision: 'abc' } },
        },
      },
      'POST https://api.cloudflare.com/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache': {
        success: true,
        result: { id: 'p1' },
      },
    },
    {
      before: ({ services }) =>
        services.internet.on(/^POST https:\/\/acme\.atlassian\.net/, { status: 201, body: { id: '1' } }),
      check: (_, running) =>
        expect(JSON.stringify(sent(running, /atlassian/))).toContain('Revision abc is live.'),
    },
  ),
  'airbyte-then-databricks': served(
    {
      'POST https://acme.cloud.databricks.com/api/2.0/sql/statements': {
        statement_id: 's1',
        status: { state: 'SUCCEEDED' },
        manifest: {
          schema: {
            columns: [
              { name: 'day', type_name: 'STRING' },
              { name: 'total', type_name: 'INT' },
            ],
          },
        },
        result: { data_array: [['2026-11-17', '5']] },
      },
    },
    {
      before: ({ services: { internet } }) => {
        internet.on(/connections\/sync\/?$/, { body: { job: { id: 970, status: 'running' } } });
        internet.on(/jobs\/get\/?$/, { body: { job: { id: 970, status: 'succeeded' }, attempts: [] } });
        internet.on(/jobs\/runs\/submit$/, { body: { run_id: 5 } });
        internet.on(/jobs\/runs\/get$/, {
          body: {
            run_id: 5,
            run_page_url: 'https://x',
            state: { life_cycle_state: 'TERMINATED', result_state: 'SUCCESS' },
          },
        });
      },
      check: async (ended) =>
        expect(String(await ended.file(ended.output('totals').uri))).toContain('2026-11-17'),
    },
  ),
  'github-issue-on-failure': {
    before: ({ services }) =>
      services.internet.on('POST https://api.github.com/repos/acme/operations/issues', {
        status: 201,
        body: { number: 4, html_url: 'https://github.com/acme/operations/issues/4' },
      }),
    cause: (running) => failIn(running, 'company.team'),
    check: (_, running) =>
      expect(sent(running, /github/)[0]).toMatchObject({
        title: 'company.team.failing failed',
        labels: ['incident'],
      }),
  },
  'graphql-to-csv': served(
    {
      'POST https://api.example.com/graphql': {
        data: { customers: [{ id: 1, name: 'Ada', country: 'FR' }] },
      },
    },
    {
      check: async (ended) => expect(String(await ended.file(ended.output('csv').uri))).toContain('1,Ada,FR'),
    },
  ),
  'late-schedules': {
    edits: async () => [['interval: PT5M', 'interval: PT1S']],
    before: ({ services }) =>
      services.internet.on(/^GET http:\/\/localhost:8080\/api\/v1\/main\/triggers\/search$/, {
        body: {
          total: 1,
          results: [
            {
              abstractTrigger: { id: 'hourly', type: 'core.trigger.Schedule' },
              triggerContext: {
                namespace: 'company.team',
                flowId: 'report',
                triggerId: 'hourly',
                nextExecutionDate: '2026-01-01T00:00:00Z',
              },
            },
          ],
        },
      }),
    cause: () => {},
    check: ({ messages }) => expect(messages.join()).toMatch(/Late: .*"triggerId":"hourly"/),
  },
  'new-lead-from-a-form': served(
    {
      'POST https://api.hubapi.com/crm/v3/objects/contacts': { id: '101', properties: {} },
      'POST https://api.hubapi.com/crm/v3/objects/deals': { id: '201', properties: {} },
    },
    {
      before: ({ services: { internet } }) => {
        internet.on(/^PUT https:\/\/api\.hubapi\.com/, { body: {} });
        internet.on('POST https://api.linear.app/graphql', {
          body: {
            data: {
              teams: { nodes: [{ id: 't1', name: 'Sales' }] },
              issueCreate: { success: true, issue: { id: 'i1', identifier: 'S-1' } },
            },
          },
        });
      },
      cause: async ({ server, namespace, flowId }) => {
        const path = `/executions/webhook/${namespace}/${flowId}/value-of-FORM_KEY`;
        const { status } = await server.call('POST', path, {
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ email: 'ada@example.com', firstName: 'Ada', message: 'Call me' }),
        });
        expect(status).toBe(200);
      },
      check: (_, running) => {
        expect(sent(running, /contacts$/)[0]).toMatchObject({ properties: { email: 'ada@example.com' } });
        expect(JSON.stringify(sent(running, /linear/))).toContain('Call Ada');
      },
    },
  ),
  'query-a-file-on-the-web': {
    before: ({ services }) =>
      services.internet.on(/^GET https:\/\/raw\.githubusercontent\.com\//, { body: sheet }),
    check: (ended) => expect(ended.output('ask').rows).toHaveLength(2),
  },
  'slack-alert-on-failure': {
    state: 'FAILED',
    edits: async () => [['interval: PT5S', 'interval: PT0.1S']],
    before: ({ services: { internet } }) => {
      internet.on('GET https://example.com/orders.json', { status: 500, body: 'broken' });
      internet.on(`POST ${slack}`, { body: 'ok' });
    },
    check: (_, running) => {
      expect(
        running.services.internet.received.filter(({ call }) => call.endsWith('orders.json')),
      ).toHaveLength(3);
      expect(JSON.stringify(sent(running, `POST ${slack}`))).toMatch(
        /The orders could not be fetched\..*500/,
      );
    },
  },
  'slack-thread-progress': {
    before: ({ services: { internet } }) => {
      internet.on(/^POST https:\/\/slack\.com\/api\//, { body: { ok: true, channel: 'C1', ts: '9.9' } });
      internet.on(/files\.getUploadURLExternal$/, {
        body: { ok: true, upload_url: 'https://files.slack.com/upload/1', file_id: 'F1' },
      });
      internet.on('POST https://files.slack.com/upload/1', { body: 'OK' });
      internet.on(/files\.completeUploadExternal$/, { body: { ok: true, files: [{ id: 'F1' }] } });
    },
    check: (_, { services }) => {
      const calls = services.internet.received.map(({ call }) => call);
      expect(calls.at(-1)).toMatch(/reactions\.add$/);
      expect(calls).toContain('POST https://files.slack.com/upload/1');
    },
  },
  'teams-release-note': {
    resume: {},
    before: ({ services }) => services.internet.on(/^POST https:\/\/teams\.example\.com\//, { status: 202 }),
    check: (_, running) => expect(JSON.stringify(sent(running, /teams/))).toContain('Version 1.2.0 is out'),
  },
  'watch-all-failures': {
    before: ({ services: { internet } }) => {
      internet.on(`POST ${slack}`, { body: 'ok' });
      internet.on('POST https://events.pagerduty.com/v2/enqueue', {
        status: 202,
        body: { status: 'success' },
      });
    },
    cause: (running) => failIn(running, 'company.billing'),
    check: (_, running) => {
      expect(sent(running, `POST ${slack}`)).toHaveLength(1);
      expect(sent(running, /pagerduty/)[0]).toMatchObject({
        event_action: 'trigger',
        dedup_key: 'company.billing.failing',
      });
    },
  },
  'xml-feed': {
    before: ({ services }) =>
      services.internet.on('GET https://example.com/feed.xml', {
        headers: { 'content-type': 'application/xml' },
        body: '<rss><channel><item><title>One</title><link>https://example.com/1</link></item><item><title>Two</title><link>https://example.com/2</link></item></channel></rss>',
      }),
    check: async (ended) =>
      expect(String(await ended.file(ended.output('lines').uri))).toBe(
        '{"title":"One","link":"https://example.com/1"}\n{"title":"Two","link":"https://example.com/2"}\n',
      ),
  },
};
