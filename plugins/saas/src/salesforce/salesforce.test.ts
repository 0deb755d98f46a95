import { startServices, testCalls } from '../testing/exchange.ts';
import { salesforceTypes } from './salesforce.ts';

startServices();

const salesforce = 'https://acme.my.salesforce.com';
const data = `${salesforce}/services/data/v62.0`;
const accounts = `${data}/sobjects/Account`;
const recordId = '001D000000IqhSLIAZ';
const account = (Id: string, more: object = {}) => ({
  attributes: { type: 'Account', url: `/services/data/v62.0/sobjects/Account/${Id}` },
  Id,
  ...more,
});
const app = { client_id: 'SALESFORCE_CLIENT_ID', client_secret: 'SALESFORCE_CLIENT_SECRET' };
const asksForAccounts = `GET ${data}/query?q=SELECT%20Id%2C%20Name%20FROM%20Account`;
const onePage = { totalSize: 1, done: true, records: [account('1', { Name: 'Ada Ltd' })] };

testCalls(salesforceTypes, {
  headers: { authorization: 'Bearer token1' },
  login: {
    asks: `POST ${salesforce}/services/oauth2/token`,
    sends: { grant_type: 'client_credentials', ...app },
    replies: { access_token: 'token1', instance_url: salesforce, token_type: 'Bearer' },
  },
  cases: [
    {
      type: 'salesforce.Query',
      exchanges: [
        {
          asks: asksForAccounts,
          replies: {
            totalSize: 2,
            done: false,
            nextRecordsUrl: '/services/data/v62.0/query/01gD0000002HU6KIAW-2000',
            records: [account('1', { Name: null, Owner: { attributes: { type: 'User' }, Name: 'Ada' } })],
          },
        },
        {
          asks: `GET ${data}/query/01gD0000002HU6KIAW-2000`,
          replies: { totalSize: 2, done: true, records: [account('2')] },
        },
      ],
      gives: { rows: [{ Id: '1', Name: null, Owner: { Name: 'Ada' } }, { Id: '2' }], size: 2, totalSize: 2 },
      metrics: { records: 2 },
    },
    {
      type: 'salesforce.Query',
      when: 'to a file, with deleted records of another version',
      with: { fetchType: 'STORE', includeDeleted: true, apiVersion: 'v60.0' },
      exchanges: [
        {
          asks: `GET ${salesforce}/services/data/v60.0/queryAll?q=SELECT%20Id%2C%20Name%20FROM%20Account`,
          replies: onePage,
        },
      ],
      gives: { size: 1, totalSize: 1 },
      stores: { uri: '{"Id":"1","Name":"Ada Ltd"}\n' },
    },
    {
      type: 'salesforce.Query',
      when: 'with a mistake, for one record',
      with: { fetchType: 'FETCH_ONE' },
      exchanges: [
        {
          asks: asksForAccounts,
          status: 400,
          replies: [{ message: "No such column 'Name'", errorCode: 'INVALID_FIELD' }],
        },
      ],
      fails: "responded with status 400 to GET /services/data/v62.0/query: No such column 'Name'",
    },
    {
      type: 'salesforce.Create',
      exchanges: [
        {
          asks: `POST ${accounts}`,
          sends: { Name: 'Ada Ltd', Industry: 'Engineering' },
          status: 201,
          replies: { id: recordId, success: true, errors: [] },
        },
      ],
      gives: { recordId },
    },
    {
      type: 'salesforce.Update',
      with: { fields: { Industry: 'Energy', Phone: null } },
      exchanges: [
        { asks: `PATCH ${accounts}/${recordId}`, sends: { Industry: 'Energy', Phone: null }, status: 204 },
      ],
      gives: { recordId },
    },
    {
      type: 'salesforce.Upsert',
      exchanges: [
        {
          asks: `PATCH ${accounts}/Customer_Number__c/10000`,
          sends: { Name: 'Ada Ltd' },
          status: 201,
          replies: { id: recordId, success: true, errors: [], created: true },
        },
      ],
      gives: { recordId, created: true },
    },
    {
      type: 'salesforce.Upsert',
      when: 'of a record that exists',
      with: { externalId: 'a/b' },
      exchanges: [
        {
          asks: `PATCH ${accounts}/Customer_Number__c/a%2Fb`,
          sends: { Name: 'Ada Ltd' },
          replies: { id: recordId, success: true, errors: [], created: false },
        },
      ],
      gives: { recordId, created: false },
    },
    {
      type: 'salesforce.Delete',
      exchanges: [{ asks: `DELETE ${accounts}/${recordId}`, status: 204 }],
      gives: { deleted: true },
    },
  ],
});

const asUser = { asks: asksForAccounts, headers: { authorization: 'Bearer token2' }, replies: onePage };
const oneRow = { rows: [{ Id: '1', Name: 'Ada Ltd' }], size: 1, totalSize: 1 };

testCalls(
  salesforceTypes.filter(({ type }) => type === 'salesforce.Query'),
  {
    headers: {},
    cases: [
      {
        type: 'salesforce.Query',
        when: 'with an access token',
        with: { accessToken: 'token2', clientId: undefined },
        exchanges: [asUser],
        gives: oneRow,
      },
      {
        type: 'salesforce.Query',
        when: 'with the password of a user of a sandbox',
        with: {
          username: 'ada@example.com',
          password: 'pass',
          securityToken: 'word',
          tokenUrl: 'https://test.salesforce.com/services/oauth2/token',
        },
        exchanges: [
          {
            asks: 'POST https://test.salesforce.com/services/oauth2/token',
            sends: { grant_type: 'password', username: 'ada@example.com', password: 'password', ...app },
            replies: { access_token: 'token2' },
          },
          asUser,
        ],
        gives: oneRow,
      },
      {
        type: 'salesforce.Query',
        when: 'with a refresh token, also when the session expires',
        with: { refreshToken: 'refresh1', instanceUrl: `${salesforce}/` },
        exchanges: [
          {
            asks: `POST ${salesforce}/services/oauth2/token`,
            sends: { grant_type: 'refresh_token', refresh_token: 'refresh1', ...app },
            replies: { access_token: 'token1' },
          },
          { asks: asksForAccounts, status: 401, replies: [{ errorCode: 'INVALID_SESSION_ID' }] },
          {
            asks: `POST ${salesforce}/services/oauth2/token`,
            sends: { grant_type: 'refresh_token', refresh_token: 'refresh1', ...app },
            replies: { access_token: 'token2' },
          },
          asUser,
        ],
        gives: oneRow,
      },
      {
        type: 'salesforce.Query',
        when: 'without credentials',
        with: { clientSecret: undefined },
        exchanges: [],
        fails: 'Either "accessToken", or "clientId" and "clientSecret" must be given.',
      },
    ],
  },
);
