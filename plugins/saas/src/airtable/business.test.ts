import { klaviyoTypes } from '../klaviyo/klaviyo.ts';
import { odooTypes } from '../odoo/odoo.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { zendeskTypes } from '../zendesk/zendesk.ts';
import { airtableTypes } from './airtable.ts';

startServices();

const table = 'https://api.airtable.com/v0/app1/Orders';
const record = { id: 'rec1', fields: { Name: 'Order 42', Paid: true } };

testCalls(airtableTypes, {
  headers: { authorization: 'Bearer AIRTABLE_TOKEN' },
  cases: [
    {
      type: 'airtable.records.List',
      exchanges: [
        {
          asks: `GET ${table}?filterByFormula=%7BPaid%7D%20%3D%201&fields%5B%5D=Name&fields%5B%5D=Paid&pageSize=100`,
          replies: { records: [record], offset: 'o1' },
        },
        {
          asks: `GET ${table}?filterByFormula=%7BPaid%7D%20%3D%201&fields%5B%5D=Name&fields%5B%5D=Paid&pageSize=100&offset=o1`,
          replies: { records: [record] },
        },
      ],
      gives: { rows: [record, record], size: 2 },
    },
    {
      type: 'airtable.records.List',
      when: 'of one page',
      with: { enableAutoPagination: false, filterByFormula: null, fields: null },
      exchanges: [{ asks: `GET ${table}?pageSize=100`, replies: { records: [record], offset: 'o1' } }],
      gives: { rows: [record], size: 1 },
    },
    {
      type: 'airtable.records.Get',
      with: { fields: ['Paid'] },
      exchanges: [{ asks: `GET ${table}/rec1`, replies: record }],
      gives: { record: { id: 'rec1', fields: { Paid: true } } },
    },
    {
      type: 'airtable.records.Get',
      when: 'of a missing record',
      exchanges: [{ asks: `GET ${table}/rec1`, status: 404 }],
    },
    {
      type: 'airtable.records.Create',
      exchanges: [
        {
          asks: `POST ${table}`,
          sends: { records: [{ fields: record.fields }], typecast: false },
          replies: { records: [record] },
        },
      ],
      gives: { record, recordIds: ['rec1'] },
    },
    {
      type: 'airtable.records.Create',
      when: 'of more than ten',
      with: { fields: null, records: Array.from({ length: 11 }, () => ({ Name: 'x' })) },
      exchanges: [
        {
          asks: `POST ${table}`,
          sends: { records: Array.from({ length: 10 }, () => ({ fields: { Name: 'x' } })), typecast: false },
          replies: { records: [record] },
        },
        {
          asks: `POST ${table}`,
          sends: { records: [{ fields: { Name: 'x' } }], typecast: false },
          replies: { records: [record] },
        },
      ],
      gives: { records: [record, record], recordIds: ['rec1', 'rec1'] },
    },
    {
      type: 'airtable.records.Update',
      exchanges: [
        { asks: `PATCH ${table}/rec1`, sends: { fields: { Paid: true }, typecast: false }, replies: record },
      ],
      gives: { record, recordId: 'rec1' },
    },
    {
      type: 'airtable.records.Delete',
      exchanges: [{ asks: `DELETE ${table}/rec1`, replies: { deleted: true } }],
    },
  ],
});

testCalls(zendeskTypes, {
  headers: {
    authorization: `Basic ${Buffer.from('ada@example.com/token:ZENDESK_TOKEN').toString('base64')}`,
  },
  cases: [
    {
      type: 'zendesk.tickets.Create',
      exchanges: [
        {
          asks: 'POST https://acme.zendesk.com/api/v2/tickets.json',
          sends: {
            ticket: {
              subject: 'The nightly load failed',
              description: 'See the log.',
              priority: 'high',
              type: 'incident',
              tags: ['nightly'],
            },
          },
          status: 201,
          replies: { ticket: { id: 35436, url: 'https://acme.zendesk.com/api/v2/tickets/35436.json' } },
        },
      ],
      gives: { id: 35436, url: 'https://acme.zendesk.com/api/v2/tickets/35436.json' },
    },
  ],
});

const rpc = (service: string, method: string, ...args: unknown[]) => ({
  asks: 'POST https://odoo.example.com/jsonrpc',
  sends: { jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } },
});
const signIn = {
  ...rpc('common', 'authenticate', 'acme', 'ada@example.com', 'ODOO_API_KEY', {}),
  replies: { result: 2 },
};
const execute = (method: string, args: unknown[], options: object, result: unknown) => ({
  ...rpc('object', 'execute_kw', 'acme', 2, 'ODOO_API_KEY', 'res.partner', method, args, options),
  replies: { result },
});
const filters = [['is_company', '=', true]];

testCalls(odooTypes, {
  headers: {},
  cases: [
    {
      type: 'odoo.Query',
      exchanges: [
        signIn,
        execute('search_read', [filters], { fields: ['name', 'email'], limit: 10 }, [
          { id: 1, name: 'Acme' },
        ]),
      ],
      gives: { rows: [{ id: 1, name: 'Acme' }], size: 1 },
    },
    {
      type: 'odoo.Query',
      when: 'CREATE',
      with: { operation: 'CREATE', values: { name: 'Acme' } },
      exchanges: [signIn, execute('create', [{ name: 'Acme' }], {}, 7)],
      gives: { ids: [7], size: 1 },
    },
    {
      type: 'odoo.Query',
      when: 'WRITE',
      with: { operation: 'WRITE', ids: [7], values: { name: 'Acme' } },
      exchanges: [signIn, execute('write', [[7], { name: 'Acme' }], {}, true)],
      gives: { ids: [7], size: 1 },
    },
    {
      type: 'odoo.Query',
      when: 'SEARCH_COUNT',
      with: { operation: 'SEARCH_COUNT' },
      exchanges: [signIn, execute('search_count', [filters], {}, 12)],
      gives: { size: 12 },
    },
    {
      type: 'odoo.Query',
      when: 'with a wrong password',
      exchanges: [{ ...signIn, replies: { result: false } }],
      fails: 'Odoo refuses the login.',
    },
    {
      type: 'odoo.Query',
      when: 'of an unknown model',
      exchanges: [
        signIn,
        {
          ...execute('search_read', [filters], { fields: ['name', 'email'], limit: 10 }, null),
          replies: { error: { message: 'Odoo Server Error', data: { message: "Object x doesn't exist" } } },
        },
      ],
      fails: "Odoo refuses object.execute_kw: Object x doesn't exist",
    },
  ],
});

const klaviyo = 'https://a.klaviyo.com/api';
const paths: Readonly<Record<string, string>> = {
  'campaign.Get': '/campaigns/01ABC',
  'campaign.GetRecipientCount': '/campaign-recipient-estimations/01ABC',
  'campaign.messages.Get': '/campaign-messages/01ABC',
  'campaign.messages.GetCampaign': '/campaign-messages/01ABC/campaign',
  'campaign.messages.GetImages': '/campaign-messages/01ABC/image',
  'jobs.GetRecipient': '/campaign-recipient-estimation-jobs/01ABC',
  'jobs.GetSendJob': '/campaign-send-jobs/01ABC',
};

testCalls(klaviyoTypes, {
  headers: { authorization: 'Klaviyo-API-Key KLAVIYO_API_KEY', revision: '2024-10-15' },
  cases: Object.entries(paths).map(([type, path]) => ({
    type: `klaviyo.${type}`,
    exchanges: [{ asks: `GET ${klaviyo}${path}`, replies: { data: { id: '01ABC' } } }],
    gives: { rows: [{ id: '01ABC' }], size: 1 },
  })),
});
