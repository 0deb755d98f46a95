import { startServices, testCalls } from '../testing/exchange.ts';
import { dynamicsTypes } from './dynamics.ts';

startServices();

const company = '7c8a1e0f-0000-4000-8000-000000000001';
const central = `https://api.businesscentral.dynamics.com/v2.0/AZURE_TENANT_ID/production/api/v2.0/companies`;
const prefix = 'microsoft365.dynamics365';
const login = (scope: string) => ({
  asks: 'POST https://login.microsoftonline.com/AZURE_TENANT_ID/oauth2/v2.0/token',
  sends: {
    grant_type: 'client_credentials',
    client_id: 'AZURE_CLIENT_ID',
    client_secret: 'AZURE_CLIENT_SECRET',
    scope,
  },
  replies: { access_token: 'token1', expires_in: 3600 },
});
const headers = { authorization: 'Bearer token1' };

testCalls(
  dynamicsTypes.filter(({ type }) => type.includes('businesscentral')),
  {
    headers,
    login: login('https://api.businesscentral.dynamics.com/.default'),
    cases: [
      {
        type: `${prefix}.businesscentral.CreateCustomer`,
        exchanges: [
          {
            asks: `POST ${central}(${company})/customers`,
            sends: { displayName: 'Ada Ltd', email: 'ada@example.com' },
            status: 201,
            replies: { id: 'c1', displayName: 'Ada Ltd' },
          },
        ],
        gives: { customerId: 'c1', customer: { id: 'c1', displayName: 'Ada Ltd' } },
      },
      {
        type: `${prefix}.businesscentral.CreateInvoice`,
        exchanges: [
          {
            asks: `POST ${central}(${company})/salesInvoices`,
            sends: { customerNumber: '10000', invoiceDate: '2026-01-31' },
            status: 201,
            replies: { id: 'i1' },
          },
        ],
        gives: { invoiceId: 'i1', invoice: { id: 'i1' } },
      },
      {
        type: `${prefix}.businesscentral.GetCustomer`,
        exchanges: [{ asks: `GET ${central}(${company})/customers(c1)`, replies: { id: 'c1' } }],
        gives: { customer: { id: 'c1' } },
      },
      {
        type: `${prefix}.businesscentral.GetInvoice`,
        exchanges: [{ asks: `GET ${central}(${company})/salesInvoices(i1)`, replies: { id: 'i1' } }],
        gives: { invoice: { id: 'i1' } },
      },
      {
        type: `${prefix}.businesscentral.ListCompanies`,
        exchanges: [{ asks: `GET ${central}`, replies: { value: [{ id: company }] } }],
        gives: { companies: [{ id: company }], size: 1 },
        metrics: { count: 1 },
      },
      {
        type: `${prefix}.businesscentral.ListItems`,
        exchanges: [
          {
            asks: `GET ${central}(${company})/items?%24filter=unitPrice%20gt%20100&%24top=20`,
            replies: { value: [{ number: '1896-S' }] },
          },
        ],
        gives: { items: [{ number: '1896-S' }], size: 1 },
      },
    ],
  },
);

const data = 'https://acme.crm4.dynamics.com/api/data/v9.2';
const id = '00000000-0000-4000-8000-000000000001';

testCalls(
  dynamicsTypes.filter(({ type }) => type.includes('dataverse')),
  {
    headers: { ...headers, 'odata-version': '4.0' },
    login: login('https://acme.crm4.dynamics.com/.default'),
    cases: [
      {
        type: `${prefix}.dataverse.Delete`,
        exchanges: [{ asks: `DELETE ${data}/accounts(${id})`, status: 204 }],
      },
      {
        type: `${prefix}.dataverse.Query`,
        exchanges: [
          {
            asks: `GET ${data}/accounts?%24filter=statecode%20eq%200&%24select=name%2Crevenue&%24top=50`,
            replies: { value: [{ name: 'Ada Ltd' }] },
          },
        ],
        gives: { records: [{ name: 'Ada Ltd' }], size: 1 },
        metrics: { count: 1 },
      },
      {
        type: `${prefix}.dataverse.Upsert`,
        exchanges: [
          {
            asks: `PATCH ${data}/accounts(${id})`,
            sends: { name: 'Ada Ltd' },
            status: 204,
            replyHeaders: { 'odata-entityid': `${data}/accounts(${id})` },
          },
        ],
        gives: { recordId: id },
      },
    ],
  },
);
