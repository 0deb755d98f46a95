import { fetchRows, type JsonMap, mapIn, mapsIn, TaskFailed, textOf } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const odoo = defineService({
  name: 'Odoo',
  prefix: 'odoo',
  properties: {
    url: need.text('The address of Odoo.'),
    db: need.text('The name of the database.'),
    username: need.text('The user.'),
    password: need.secret('The password or an API key of the user.'),
  },
  baseUrl: ({ url }) => url,
  example: {
    url: 'https://odoo.example.com',
    db: 'acme',
    username: 'ada@example.com',
    password: "{{ secret('ODOO_API_KEY') }}",
  },
});

async function call(
  client: RestClient,
  service: string,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  const body = { jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } };
  const { result, error } = await client.ask({ method: 'POST', path: '/jsonrpc', body });
  if (error !== undefined) {
    const { message, data } = mapIn(error);
    const said = textOf(mapIn(data).message) ?? textOf(message) ?? 'unknown error';
    throw new TaskFailed(`Odoo refuses ${service}.${method}: ${said}`, { retry: false });
  }
  return result;
}

const operations = ['SEARCH_READ', 'READ', 'CREATE', 'WRITE', 'UNLINK', 'SEARCH', 'SEARCH_COUNT'] as const;

const query = odoo.task({
  type: 'Query',
  title: 'Read or change records of Odoo',
  description: 'Calls a model of Odoo with JSON-RPC: searches, reads, creates, changes or deletes records.',
  properties: {
    model: need.text('The model, such as `res.partner`.'),
    operation: need.choice(operations, 'What to do.'),
    filters: may.list("The domain of a search: a list such as `[['is_company', '=', true]]`."),
    fields: may.texts('The fields to read; all when absent.'),
    values: may.map('The values, for CREATE and WRITE.'),
    ids: may.integers('The ids of the records, for READ, WRITE and UNLINK.'),
    limit: may.integer('The most records.'),
    offset: may.integer('How many records are skipped.'),
    fetchType: preset.fetchType('NONE', 'records'),
  },
  output: {
    rows: out.maps('The records, with `FETCH`.'),
    row: out.map('The first record, with `FETCH_ONE`.'),
    uri: out.text('A file with one record a line, with `STORE`.'),
    size: out.integer('How many records there are.'),
    ids: out.list('The ids of the records that were found or created.'),
  },
  run: async (client, input, context) => {
    const {
      db,
      username,
      password,
      model,
      operation,
      filters = [],
      fields,
      values,
      ids,
      limit,
      offset,
    } = input;
    const uid = await call(client, 'common', 'authenticate', [db, username, password, {}]);
    if (typeof uid !== 'number')
      throw new TaskFailed('Odoo refuses the login. Check "db", "username" and "password".', {
        retry: false,
      });
    const page = { ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) };
    const method = operation.toLowerCase();
    const [args, options] = argumentsOf({ operation, filters, fields, values, ids, page });
    const result = await call(client, 'object', 'execute_kw', [
      db,
      uid,
      password,
      model,
      method,
      args,
      options,
    ]);
    if (operation === 'SEARCH_READ' || operation === 'READ')
      return {
        ...(await fetchRows(
          context,
          input.fetchType,
          mapsIn(result).map((row) => ({ ...row })),
        )),
      };
    if (operation === 'SEARCH') return { ids: result, size: Array.isArray(result) ? result.length : 0 };
    if (operation === 'SEARCH_COUNT') return { size: Number(result) };
    if (operation === 'CREATE') return { ids: [result], size: 1 };
    return { ids, size: ids?.length ?? 0 };
  },
  example: {
    model: 'res.partner',
    operation: 'SEARCH_READ',
    filters: [['is_company', '=', true]],
    fields: ['name', 'email'],
    limit: 10,
    fetchType: 'FETCH',
  },
});

interface Wanted {
  readonly operation: (typeof operations)[number];
  readonly filters: readonly unknown[];
  readonly fields?: readonly string[] | undefined;
  readonly values?: JsonMap | undefined;
  readonly ids?: readonly number[] | undefined;
  readonly page: JsonMap;
}

function argumentsOf({ operation, filters, fields, values, ids, page }: Wanted): [unknown[], JsonMap] {
  const columns = fields ? { fields } : {};
  const given = <T>(value: T | undefined, name: string): T => {
    if (value === undefined)
      throw new TaskFailed(`"${name}" must be given for ${operation}.`, { retry: false });
    return value;
  };
  switch (operation) {
    case 'SEARCH_READ':
      return [[filters], { ...columns, ...page }];
    case 'READ':
      return [[given(ids, 'ids')], columns];
    case 'CREATE':
      return [[given(values, 'values')], {}];
    case 'WRITE':
      return [[given(ids, 'ids'), given(values, 'values')], {}];
    case 'UNLINK':
      return [[given(ids, 'ids')], {}];
    case 'SEARCH':
      return [[filters], page];
    case 'SEARCH_COUNT':
      return [[filters], {}];
  }
}

export const odooTypes = [query];
