import { TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const sifflet = defineService({
  name: 'Sifflet',
  prefix: 'sifflet',
  properties: {
    apiKey: need.secret('An access token.'),
    baseUrl: may.text('The address of Sifflet, such as `https://acme.siffletdata.com`.'),
    requestTimeout: preset.integer(30, 'Accepted; the timeouts of the server apply.'),
  },
  baseUrl: ({ baseUrl }) => {
    if (!baseUrl) throw new TaskFailed('"baseUrl" must be given: the address of Sifflet.', { retry: false });
    return baseUrl;
  },
  auth: ({ apiKey }) => bearer(apiKey),
  example: { apiKey: "{{ secret('SIFFLET_TOKEN') }}", baseUrl: 'https://acme.siffletdata.com' },
});

const runRule = sifflet.task({
  type: 'RunRule',
  title: 'Run a rule of Sifflet',
  description: 'Starts a run of a data quality rule.',
  properties: { ruleId: may.text('The id of the rule.') },
  request: 'POST /api/v1/rules/{ruleId}/_run',
  output: {
    ruleId: out.text('The id of the rule.'),
    status: out.text('The state of the run, if Sifflet names it.'),
    statusCode: out.integer('The status of the response.'),
    response: out.text('The response.'),
  },
  result: ({ status, body }, { ruleId }) => ({
    ruleId,
    status: textOf(valueAt(body, 'status')) ?? textOf(valueAt(body, 'status.status')),
    statusCode: status,
    response: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
  }),
  example: { ruleId: 'r1' },
});

export const siffletTypes = [runRule];
