import { argocdTypes } from '../argocd/argocd.ts';
import { servicenowTypes } from '../servicenow/servicenow.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { jiraTypes } from './jira.ts';

startServices();

const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const issues = 'https://acme.atlassian.net/rest/api/2/issue';

testCalls(jiraTypes, {
  headers: { authorization: basic('ada@example.com:JIRA_API_TOKEN'), 'content-type': 'application/json' },
  cases: [
    {
      type: 'jira.issues.Create',
      with: { description: 'x' },
      exchanges: [
        {
          asks: `POST ${issues}/`,
          sends: {
            fields: {
              project: { key: 'OPS' },
              summary: 'The nightly load failed',
              description: 'x',
              issuetype: { id: '10001' },
              labels: ['nightly'],
            },
          },
          status: 201,
          replies: { id: '1', key: 'OPS-1' },
        },
      ],
    },
    {
      type: 'jira.issues.Create',
      when: 'with a payload and a token, refused in the words of Jira',
      with: { description: 'x', payload: '{"fields": {"summary": "y"}}', accessToken: 'token1' },
      exchanges: [
        {
          asks: `POST ${issues}/`,
          sends: { fields: { summary: 'y' } },
          headers: { authorization: 'Bearer token1' },
          status: 400,
          replies: { errorMessages: [], errors: { project: 'project is required' } },
        },
      ],
      fails: 'project is required',
    },
    {
      type: 'jira.issues.CreateComment',
      exchanges: [
        {
          asks: `POST ${issues}/OPS-42/comment`,
          sends: { body: 'The load runs again.' },
          status: 201,
          replies: {},
        },
      ],
    },
    {
      type: 'jira.issues.UpdateFields',
      exchanges: [
        {
          asks: `PUT ${issues}/OPS-42`,
          sends: { fields: { summary: 'Solved: the nightly load' } },
          status: 204,
        },
      ],
    },
  ],
});

const table = 'https://acme.service-now.com/api/now/table/incident';
const id = 'a9e30c7dc61122760116894de7bcc7bd';

testCalls(servicenowTypes, {
  headers: { authorization: basic('millrace:SERVICENOW_PASSWORD') },
  cases: [
    {
      type: 'servicenow.Get',
      exchanges: [
        {
          asks: `GET ${table}?sysparm_query=active%3Dtrue&sysparm_limit=10&sysparm_fields=number%2Cshort_description`,
          replies: { result: [{ number: 'INC1' }] },
        },
      ],
      gives: { results: [{ number: 'INC1' }], size: 1 },
    },
    {
      type: 'servicenow.Get',
      when: 'with OAuth, stored as a file',
      with: {
        clientId: 'id',
        clientSecret: 'secret',
        fetchType: 'STORE',
        offset: 20,
        headers: { 'X-Team': 'data' },
      },
      exchanges: [
        {
          asks: 'POST https://acme.service-now.com/oauth_token.do',
          sends: {
            grant_type: 'password',
            username: 'millrace',
            password: 'SERVICENOW_PASSWORD',
            client_id: 'id',
            client_secret: 'secret',
          },
          headers: { authorization: undefined },
          replies: { access_token: 'token1', expires_in: 1800 },
        },
        {
          asks: `GET ${table}?sysparm_query=active%3Dtrue&sysparm_limit=10&sysparm_offset=20&sysparm_fields=number%2Cshort_description`,
          headers: { authorization: 'Bearer token1', 'x-team': 'data' },
          replies: { result: [{ number: 'INC1' }] },
        },
      ],
      gives: { size: 1, offset: 20 },
      stores: { uri: '{"number":"INC1"}\n' },
    },
    {
      type: 'servicenow.Post',
      exchanges: [
        {
          asks: `POST ${table}`,
          sends: { short_description: 'The nightly load failed', urgency: '1' },
          status: 201,
          replies: { result: { number: 'INC1' } },
        },
      ],
      gives: { result: { number: 'INC1' } },
    },
    {
      type: 'servicenow.Update',
      exchanges: [{ asks: `PUT ${table}/${id}`, sends: { state: '6' }, replies: { result: { state: '6' } } }],
      gives: { result: { state: '6' } },
    },
    {
      type: 'servicenow.Delete',
      exchanges: [{ asks: `DELETE ${table}/${id}`, status: 204 }],
      gives: { deleted: true },
    },
  ],
});

const application = 'https://argocd.example.com/api/v1/applications/shop';
const state = (phase: string) => ({
  status: {
    sync: { status: 'Synced', revision: 'abc' },
    health: { status: 'Healthy' },
    resources: [{ kind: 'Service' }],
    conditions: [{ type: 'SyncError' }],
    operationState: { phase, message: 'one resource is wrong' },
  },
});
const shown = (phase: string) => ({
  syncStatus: 'Synced',
  healthStatus: 'Healthy',
  resources: [{ kind: 'Service' }],
  rawOutput: JSON.stringify(state(phase)),
  vars: {},
  exitCode: 0,
  outputFiles: {},
  taskRunner: {},
});
const started = {
  asks: `POST ${application}/sync`,
  sends: { prune: true, dryRun: false, strategy: { hook: { force: false } } },
  replies: {},
};

testCalls(argocdTypes, {
  headers: { authorization: 'Bearer ARGOCD_TOKEN' },
  cases: [
    {
      type: 'argocd.apps.Status',
      exchanges: [{ asks: `GET ${application}?refresh=normal`, replies: state('Succeeded') }],
      gives: { ...shown('Succeeded'), conditions: [{ type: 'SyncError' }] },
    },
    {
      type: 'argocd.apps.Sync',
      exchanges: [started, { asks: `GET ${application}`, replies: state('Succeeded') }],
      gives: { ...shown('Succeeded'), revision: 'abc' },
    },
    {
      type: 'argocd.apps.Sync',
      when: 'that fails',
      exchanges: [started, { asks: `GET ${application}`, replies: state('Failed') }],
      fails: 'The sync of shop ended as Failed: one resource is wrong',
    },
  ],
});
