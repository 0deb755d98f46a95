import { isMap, type JsonMap, mapIn, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const airtable = defineService({
  name: 'Airtable',
  prefix: 'airtable.records',
  baseUrl: 'https://api.airtable.com/v0',
  properties: {
    baseId: need.text('The id of the base.'),
    tableId: need.text('The id or name of the table.'),
    apiKey: need.secret('A personal access token.'),
  },
  auth: ({ apiKey }) => bearer(apiKey),
  example: { baseId: 'app1', tableId: 'Orders', apiKey: "{{ secret('AIRTABLE_TOKEN') }}" },
});

const record = { recordId: need.text('The id of the record.') };
const typecast = preset.flag(false, 'Airtable converts texts to the types of the columns.');

const list = airtable.task({
  type: 'List',
  title: 'List the records of a table of Airtable',
  description: 'Reads the records of a table; the first page of 100 unless `enableAutoPagination` is set.',
  properties: {
    filterByFormula: may.text('A formula that is true for the records.'),
    fields: may.texts('The fields; all when absent.'),
    maxRecords: may.integer('The most records.'),
    view: may.text('Records of this view, in its order.'),
    enableAutoPagination: preset.flag(false, 'Read all pages.'),
  },
  request: 'GET /{baseId}/{tableId}',
  query: ({ filterByFormula, fields, maxRecords, view }) => ({
    filterByFormula,
    'fields[]': fields,
    maxRecords,
    view,
    pageSize: 100,
  }),
  rows: {
    at: 'records',
    paging: ({ enableAutoPagination }) =>
      enableAutoPagination ? { kind: 'cursor', parameter: 'offset', next: 'offset' } : undefined,
    limit: ({ maxRecords }) => maxRecords,
  },
  example: { filterByFormula: '{Paid} = 1', fields: ['Name', 'Paid'], enableAutoPagination: true },
});

const get = airtable.task({
  type: 'Get',
  title: 'Get a record of a table of Airtable',
  description: 'Reads one record. One that does not exist gives no output, unless `failOnMissing` is set.',
  properties: {
    ...record,
    fields: may.texts('The fields; all when absent.'),
    failOnMissing: preset.flag(false, 'Fail when there is no such record.'),
  },
  output: { record: out.map('The record: `id`, `createdTime` and `fields`.') },
  run: async (client, { baseId, tableId, recordId, fields, failOnMissing }) => {
    const path = `/${[baseId, tableId, recordId].map(encodeURIComponent).join('/')}`;
    const { status, body } = await client.send({ path, ...(!failOnMissing && { accepts: [404] }) });
    if (status === 404) return {};
    const found = mapIn(body);
    const all = Object.entries(mapIn(found.fields));
    const kept = fields ? Object.fromEntries(all.filter(([name]) => fields.includes(name))) : found.fields;
    return { record: { ...found, fields: kept } };
  },
  example: { recordId: 'rec1' },
});

/** The maximum number of records in one Airtable request. */
const maxRecords = 10;

const create = airtable.task({
  type: 'Create',
  title: 'Create records in a table of Airtable',
  description: 'Creates one record from `fields`, or several from `records`, ten in each request.',
  properties: {
    fields: may.map('The fields of one record.'),
    records: may.maps('Several records: maps of fields, or of `fields`.'),
    typecast,
  },
  output: {
    record: out.map('The record, when `fields` was given.'),
    records: out.maps('The records, when `records` was given.'),
    recordIds: out.texts('The ids of the records.'),
  },
  run: async (client, { baseId, tableId, fields, records, typecast: casts }) => {
    const wanted = fields
      ? [{ fields }]
      : (records ?? []).map((one) => (isMap(one.fields) ? { fields: one.fields } : { fields: one }));
    if (wanted.length === 0) throw new TaskFailed('"fields" or "records" must be given.', { retry: false });
    const created: JsonMap[] = [];
    const path = `/${encodeURIComponent(baseId)}/${encodeURIComponent(tableId)}`;
    for (let at = 0; at < wanted.length; at += maxRecords) {
      const body = { records: wanted.slice(at, at + maxRecords), typecast: casts };
      created.push(...mapsIn((await client.ask({ method: 'POST', path, body })).records));
    }
    const recordIds = created.map(({ id }) => String(id));
    return fields ? { record: created[0], recordIds } : { records: created, recordIds };
  },
  example: { fields: { Name: 'Order 42', Paid: true } },
});

const update = airtable.task({
  type: 'Update',
  title: 'Update a record of a table of Airtable',
  description: 'Changes the given fields of a record.',
  properties: { ...record, fields: need.map('The fields and their values.'), typecast },
  request: 'PATCH /{baseId}/{tableId}/{recordId}',
  body: ['fields', 'typecast'],
  output: { record: out.map('The record.', ''), recordId: out.text('The id of the record.', 'id') },
  example: { recordId: 'rec1', fields: { Paid: true } },
});

const remove = airtable.task({
  type: 'Delete',
  title: 'Delete a record of a table of Airtable',
  description: 'Deletes one record.',
  properties: record,
  request: 'DELETE /{baseId}/{tableId}/{recordId}',
  example: { recordId: 'rec1' },
});

export const airtableTypes = [list, get, create, update, remove];
