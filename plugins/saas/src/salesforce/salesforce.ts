import { isMap, mapIn, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import { bearer, clientCredentials, passwordGrant, refreshToken } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { fillPath } from '../rest/query.ts';
import { defineService } from '../rest/service.ts';

const salesforce = defineService({
  name: 'Salesforce',
  prefix: 'salesforce',
  properties: {
    instanceUrl: need.text('The address of the organization, such as `https://acme.my.salesforce.com`.'),
    accessToken: may.secret('An access token. Without it the task logs in with `clientId`.'),
    clientId: may.text(
      'The consumer key of an app in Salesforce. The app logs in by itself unless `refreshToken` or `username` is given.',
    ),
    clientSecret: may.secret('The consumer secret of the app.'),
    refreshToken: may.secret('A refresh token that a user granted to the app.'),
    username: may.text('A user, to log in with a password.'),
    password: may.secret('The password of the user.'),
    securityToken: may.secret('The security token of the user, where Salesforce asks for one.'),
    tokenUrl: may.text(
      'Where to log in, such as `https://test.salesforce.com/services/oauth2/token`; by default at `instanceUrl`.',
    ),
    apiVersion: preset.text('62.0', 'The version of the REST API.'),
    ...requestOptions,
  },
  baseUrl: ({ instanceUrl }) => instanceUrl,
  auth: (input) => {
    if (input.accessToken) return bearer(input.accessToken);
    const { clientId, clientSecret, username, password } = input;
    if (!clientId || !clientSecret)
      throw new TaskFailed('Either "accessToken", or "clientId" and "clientSecret" must be given.', {
        retry: false,
      });
    const tokenUrl = input.tokenUrl ?? `${input.instanceUrl.replace(/\/+$/, '')}/services/oauth2/token`;
    const app = { tokenUrl, clientId, clientSecret };
    if (input.refreshToken) return refreshToken({ ...app, refreshToken: input.refreshToken });
    if (!username) return clientCredentials(app);
    if (!password) throw new TaskFailed('"password" must be given with "username".', { retry: false });
    return passwordGrant({ ...app, username, password: `${password}${input.securityToken ?? ''}` });
  },
  example: {
    instanceUrl: 'https://acme.my.salesforce.com',
    clientId: "{{ secret('SALESFORCE_CLIENT_ID') }}",
    clientSecret: "{{ secret('SALESFORCE_CLIENT_SECRET') }}",
  },
});

const dataPath = (apiVersion: string): string => `/services/data/v${apiVersion.replace(/^v/i, '')}`;
const recordsPath = (apiVersion: string): string => `${dataPath(apiVersion)}/sobjects/{object}`;

/** A value without the type and address that Salesforce adds to each record. */
const withoutAttributes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutAttributes);
  if (!isMap(value)) return value;
  const { attributes: _, ...fields } = value;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutAttributes(field)]));
};

const query = salesforce.task({
  type: 'Query',
  title: 'Query records of Salesforce',
  description: 'Runs a query in SOQL and reads all pages of its records.',
  properties: {
    query: need.text('The query, in SOQL.'),
    includeDeleted: preset.flag(false, 'Also read records in the recycle bin and archived ones.'),
  },
  request: ({ apiVersion, includeDeleted }) =>
    `GET ${dataPath(apiVersion)}/${includeDeleted ? 'queryAll' : 'query'}`,
  query: { q: 'query' },
  rows: {
    at: ({ body }) => mapsIn(mapIn(body).records).map(withoutAttributes),
    paging: { kind: 'nextUrl', at: 'nextRecordsUrl' },
    metric: 'records',
  },
  output: { totalSize: out.integer('How many records match, also of a query with `COUNT()`.') },
  example: { query: 'SELECT Id, Name FROM Account' },
});

const object = { object: need.text('The API name of the object, such as `Account` or `Invoice__c`.') };
const record = { ...object, recordId: need.text('The id of the record.') };
const changes = { fields: need.map('The fields to change, by their API names; null clears a field.') };
const accountId = '001D000000IqhSLIAZ';

const create = salesforce.task({
  type: 'Create',
  title: 'Create a record in Salesforce',
  description: 'Creates one record.',
  properties: { ...object, fields: need.map('The fields of the record, by their API names.') },
  request: ({ apiVersion }) => `POST ${recordsPath(apiVersion)}`,
  body: ({ fields }) => fields,
  output: { recordId: out.text('The id of the record.', 'id') },
  example: { object: 'Account', fields: { Name: 'Ada Ltd', Industry: 'Engineering' } },
});

// The declared bodies of the base leave null out, so the calls that can clear a field send theirs themselves.
const update = salesforce.task({
  type: 'Update',
  title: 'Update a record of Salesforce',
  description: 'Changes the given fields of one record.',
  properties: { ...record, ...changes },
  output: { recordId: out.text('The id of the record.') },
  run: async (client, input) => {
    const path = fillPath(`${recordsPath(input.apiVersion)}/{recordId}`, input);
    await client.send({ method: 'PATCH', path, body: input.fields });
    return { recordId: input.recordId };
  },
  example: { object: 'Account', recordId: accountId, fields: { Industry: 'Energy' } },
});

const upsert = salesforce.task({
  type: 'Upsert',
  title: 'Create or update a record of Salesforce',
  description: 'Updates the record with this external id, or creates it when there is none.',
  properties: {
    ...object,
    externalIdField: need.text('The API name of the external id field.'),
    externalId: need.text('The value of the external id field.'),
    ...changes,
  },
  output: {
    recordId: out.text('The id of the record.'),
    created: out.flag('Whether the record was created.'),
  },
  run: async (client, input) => {
    const path = fillPath(`${recordsPath(input.apiVersion)}/{externalIdField}/{externalId}`, input);
    const { status, body } = await client.send({ method: 'PATCH', path, body: input.fields });
    return { recordId: mapIn(body).id, created: status === 201 };
  },
  example: {
    object: 'Account',
    externalIdField: 'Customer_Number__c',
    externalId: '10000',
    fields: { Name: 'Ada Ltd' },
  },
});

const remove = salesforce.task({
  type: 'Delete',
  title: 'Delete a record of Salesforce',
  description: 'Moves one record to the recycle bin.',
  properties: record,
  request: ({ apiVersion }) => `DELETE ${recordsPath(apiVersion)}/{recordId}`,
  output: { deleted: out.flag('True: a record that does not exist fails the task.') },
  result: () => ({ deleted: true }),
  example: { object: 'Account', recordId: accountId },
});

export const salesforceTypes = [query, create, update, upsert, remove];
