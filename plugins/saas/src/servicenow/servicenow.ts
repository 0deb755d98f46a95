import { basic, passwordGrant } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const addressOf = (domain: string): string =>
  /^https?:\/\//.test(domain) ? domain.replace(/\/+$/, '') : `https://${domain}.service-now.com`;

const servicenow = defineService({
  name: 'ServiceNow',
  prefix: 'servicenow',
  properties: {
    domain: need.text('The instance: `acme` of `acme.service-now.com`, or a whole address.'),
    username: need.text('The user.'),
    password: need.secret('The password of the user.'),
    clientId: may.text(
      'The id of an OAuth application, to log in with OAuth instead of Basic authentication.',
    ),
    clientSecret: may.secret('The secret of the OAuth application.'),
    headers: may.textMap('More headers of the request.'),
    ...requestOptions,
    table: need.text('The table, such as `incident`.'),
  },
  baseUrl: ({ domain }) => `${addressOf(domain)}/api/now/table`,
  auth: ({ domain, username, password, clientId, clientSecret }) =>
    clientId && clientSecret
      ? passwordGrant({
          tokenUrl: `${addressOf(domain)}/oauth_token.do`,
          clientId,
          clientSecret,
          username,
          password,
        })
      : basic(username, password),
  headers: ({ headers }) => headers ?? {},
  example: {
    domain: 'acme',
    username: 'millrace',
    password: "{{ secret('SERVICENOW_PASSWORD') }}",
    table: 'incident',
  },
});

const sysId = { sysId: need.text('The `sys_id` of the record.') };

const get = servicenow.task({
  type: 'Get',
  title: 'Get records of a table of ServiceNow',
  description: 'Reads the records of a table with the Table API.',
  properties: {
    query: may.text('An encoded query, such as `active=true^priority=1`.'),
    limit: may.integer('The most records; ServiceNow returns 10,000 when absent.'),
    offset: may.integer('How many records are skipped.'),
    fields: may.texts('The fields; all when absent.'),
  },
  request: 'GET /{table}',
  query: ({ query, limit, offset, fields }) => ({
    sysparm_query: query,
    sysparm_limit: limit,
    sysparm_offset: offset,
    sysparm_fields: fields?.join(','),
  }),
  rows: { at: 'result', names: { rows: 'results', row: 'result' } },
  output: { offset: out.integer('How many records were skipped.') },
  result: (_, { offset }) => ({ offset }),
  example: { query: 'active=true', limit: 10, fields: ['number', 'short_description'] },
});

const post = servicenow.task({
  type: 'Post',
  title: 'Create a record in a table of ServiceNow',
  description: 'Creates a record with the Table API, for example an incident.',
  properties: { data: need.map('The fields of the record.') },
  request: 'POST /{table}',
  body: ({ data }) => data,
  output: { result: out.map('The record as it was stored.') },
  example: { data: { short_description: 'The nightly load failed', urgency: '1' } },
});

const update = servicenow.task({
  type: 'Update',
  title: 'Update a record of a table of ServiceNow',
  description: 'Changes fields of one record.',
  properties: { ...sysId, data: need.map('The fields to change.') },
  request: 'PUT /{table}/{sysId}',
  body: ({ data }) => data,
  output: { result: out.map('The record as it was stored.') },
  example: { sysId: 'a9e30c7dc61122760116894de7bcc7bd', data: { state: '6' } },
});

const remove = servicenow.task({
  type: 'Delete',
  title: 'Delete a record of a table of ServiceNow',
  description: 'Deletes one record.',
  properties: sysId,
  request: 'DELETE /{table}/{sysId}',
  output: { deleted: out.flag('True: a record that does not exist fails the task.') },
  result: () => ({ deleted: true }),
  example: { sysId: 'a9e30c7dc61122760116894de7bcc7bd' },
});

export const servicenowTypes = [get, post, update, remove];
