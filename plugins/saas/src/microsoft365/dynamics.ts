import { mapsIn } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { entraLogin, neededTenant, tenant, tenantExample } from './login.ts';

const login = { ...tenant, ...neededTenant };

const businessCentral = defineService({
  name: 'Business Central',
  prefix: 'microsoft365.dynamics365.businesscentral',
  properties: {
    ...login,
    environment: need.text('The name of the environment, such as `production`.'),
    apiEndpoint: may.text('Another address of the API, up to and including `/api/v2.0`.'),
  },
  baseUrl: ({ apiEndpoint, tenantId, environment }) =>
    apiEndpoint ??
    `https://api.businesscentral.dynamics.com/v2.0/${encodeURIComponent(tenantId)}/${encodeURIComponent(environment)}/api/v2.0`,
  auth: (input) => entraLogin(input, 'https://api.businesscentral.dynamics.com/.default'),
  example: { ...tenantExample, environment: 'production' },
});

const company = { companyId: need.text('The id of the company, see `ListCompanies`.') };
const companyExample = { companyId: '7c8a1e0f-0000-4000-8000-000000000001' };
const counted = {
  metrics: [{ name: 'count', type: 'counter' as const, description: 'How many there were.' }],
};

const createCustomer = businessCentral.task({
  type: 'CreateCustomer',
  title: 'Create a customer in Business Central',
  description: 'Creates a customer of a company.',
  properties: {
    ...company,
    customer: need.map('The fields of the customer, such as `displayName` and `email`.'),
  },
  request: 'POST /companies({companyId})/customers',
  body: ({ customer }) => customer,
  output: {
    customerId: out.text('The id of the customer.', 'id'),
    customer: out.map('The customer as it was stored.', ''),
  },
  example: { ...companyExample, customer: { displayName: 'Ada Ltd', email: 'ada@example.com' } },
});

const createInvoice = businessCentral.task({
  type: 'CreateInvoice',
  title: 'Create a sales invoice in Business Central',
  description: 'Creates a draft of a sales invoice.',
  properties: {
    ...company,
    invoice: need.map('The fields of the invoice, such as `customerId` and `invoiceDate`.'),
  },
  request: 'POST /companies({companyId})/salesInvoices',
  body: ({ invoice }) => invoice,
  output: {
    invoiceId: out.text('The id of the invoice.', 'id'),
    invoice: out.map('The invoice as it was stored.', ''),
  },
  example: { ...companyExample, invoice: { customerNumber: '10000', invoiceDate: '2026-01-31' } },
});

const getCustomer = businessCentral.task({
  type: 'GetCustomer',
  title: 'Get a customer of Business Central',
  description: 'Reads one customer.',
  properties: { ...company, customerId: need.text('The id of the customer.') },
  request: 'GET /companies({companyId})/customers({customerId})',
  output: { customer: out.map('The customer.', '') },
  example: { ...companyExample, customerId: 'c1' },
});

const getInvoice = businessCentral.task({
  type: 'GetInvoice',
  title: 'Get a sales invoice of Business Central',
  description: 'Reads one sales invoice.',
  properties: { ...company, invoiceId: need.text('The id of the invoice.') },
  request: 'GET /companies({companyId})/salesInvoices({invoiceId})',
  output: { invoice: out.map('The invoice.', '') },
  example: { ...companyExample, invoiceId: 'i1' },
});

const listCompanies = businessCentral.task({
  type: 'ListCompanies',
  title: 'List the companies of Business Central',
  description: 'Lists the companies of an environment.',
  ...counted,
  output: { companies: out.maps('The companies.'), size: out.integer('How many there are.') },
  run: async (client, _, context) => {
    const companies = mapsIn((await client.ask({ path: '/companies' })).value);
    context.metric({ name: 'count', type: 'counter', value: companies.length });
    return { companies, size: companies.length };
  },
  example: {},
});

const listItems = businessCentral.task({
  type: 'ListItems',
  title: 'List the items of a company in Business Central',
  description: 'Lists the items (products) of a company.',
  properties: {
    ...company,
    filter: may.text('An OData filter, such as `unitPrice gt 100`.'),
    top: preset.integer(100, 'The most items.'),
  },
  ...counted,
  output: { items: out.maps('The items.'), size: out.integer('How many there are.') },
  run: async (client, { companyId, filter, top }, context) => {
    const path = `/companies(${encodeURIComponent(companyId)})/items`;
    const items = mapsIn((await client.ask({ path, query: { $filter: filter, $top: top } })).value);
    context.metric({ name: 'count', type: 'counter', value: items.length });
    return { items, size: items.length };
  },
  example: { ...companyExample, filter: 'unitPrice gt 100', top: 20 },
});

const dataverse = defineService({
  name: 'Dataverse',
  prefix: 'microsoft365.dynamics365.dataverse',
  properties: {
    ...login,
    orgUrl: need.text('The address of the environment, such as `https://acme.crm4.dynamics.com`.'),
    entitySetName: need.text('The name of the table in the API, such as `accounts`.'),
  },
  baseUrl: ({ orgUrl }) => `${orgUrl.replace(/\/+$/, '')}/api/data/v9.2`,
  auth: ({ orgUrl, ...input }) => entraLogin(input, `${orgUrl.replace(/\/+$/, '')}/.default`),
  headers: () => ({ 'odata-version': '4.0', 'odata-maxversion': '4.0' }),
  example: { ...tenantExample, orgUrl: 'https://acme.crm4.dynamics.com', entitySetName: 'accounts' },
});

const record = { recordId: need.text("The id of the record, or an alternate key as `name='value'`.") };

const deleteRecord = dataverse.task({
  type: 'Delete',
  title: 'Delete a record of Dataverse',
  description: 'Deletes one record of a table.',
  properties: record,
  request: ({ entitySetName, recordId }) => `DELETE /${entitySetName}(${recordId})`,
  example: { recordId: '00000000-0000-4000-8000-000000000001' },
});

const queryRecords = dataverse.task({
  type: 'Query',
  title: 'Query records of Dataverse',
  description: 'Reads the records of a table with the OData API.',
  properties: {
    filter: may.text('An OData filter, such as `statecode eq 0`.'),
    select: may.text('The columns, separated by commas; all when absent.'),
    top: preset.integer(100, 'The most records.'),
  },
  request: 'GET /{entitySetName}',
  query: { $filter: 'filter', $select: 'select', $top: 'top' },
  rows: { at: 'value', names: { rows: 'records', row: 'record' }, metric: 'count' },
  example: { filter: 'statecode eq 0', select: 'name,revenue', top: 50 },
});

const upsertRecord = dataverse.task({
  type: 'Upsert',
  title: 'Create or update a record of Dataverse',
  description: 'Changes the record with this id, or creates it.',
  properties: { ...record, record: need.map('The columns and their values.') },
  request: ({ entitySetName, recordId }) => `PATCH /${entitySetName}(${recordId})`,
  body: ({ record: values }) => values,
  output: { recordId: out.text('The id of the record.') },
  result: ({ headers }, { recordId }) => ({
    recordId: /\(([^)]*)\)\s*$/.exec(headers['odata-entityid']?.[0] ?? '')?.[1] ?? recordId,
  }),
  example: { recordId: '00000000-0000-4000-8000-000000000001', record: { name: 'Ada Ltd' } },
});

export const dynamicsTypes = [
  createCustomer,
  createInvoice,
  getCustomer,
  getInvoice,
  listCompanies,
  listItems,
  deleteRecord,
  queryRecords,
  upsertRecord,
];
