import { type JsonMap, mapsIn, TaskFailed } from '@millrace/plugin-kit';
import type { RestClient, RestRequest } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const supabase = defineService({
  name: 'Supabase',
  prefix: 'supabase',
  properties: {
    url: need.text('The address of the project, such as `https://acme.supabase.co`.'),
    apiKey: need.secret('The key of the project: the service role key, or the anonymous one.'),
    schema: preset.text('public', 'The schema of the database.'),
    ...requestOptions,
  },
  baseUrl: ({ url }) => `${url.replace(/\/+$/, '')}/rest/v1`,
  auth: ({ apiKey }) => ({ headers: { apikey: apiKey, authorization: `Bearer ${apiKey}` } }),
  headers: ({ schema }) => ({ 'accept-profile': schema, 'content-profile': schema }),
  example: { url: 'https://acme.supabase.co', apiKey: "{{ secret('SUPABASE_KEY') }}" },
});

const table = { table: need.text('The name of the table.') };
const returned = { select: may.text('The columns that are returned; all when absent.') };

const outputs = (rows: string, count: string) => ({
  uri: out.text('The address that was called.'),
  code: out.integer('The status of the response.'),
  headers: out.map('The headers of the response.'),
  [rows]: out.maps('The rows.'),
  [count]: out.integer('How many rows there are.'),
  rawResponse: out.text('The response as JSON.'),
});

/** A filter of PostgREST: `column=operator.value`, joined by `&`. */
function toFilter(filter: string | undefined): JsonMap {
  const pairs = [...new URLSearchParams(filter?.trim() ?? '')];
  const names = new Set(pairs.map(([name]) => name));
  return Object.fromEntries(
    [...names].map((name) => [name, pairs.filter(([one]) => one === name).map(([, value]) => value)]),
  );
}

async function call(client: RestClient, request: RestRequest, rows: string, count: string): Promise<JsonMap> {
  const { status, headers, body } = await client.send(request);
  const found = Array.isArray(body) ? mapsIn(body) : body === undefined ? [] : mapsIn([body]);
  return {
    uri: `${client.baseUrl}${request.path}`,
    code: status,
    headers,
    [rows]: found,
    [count]: found.length,
    rawResponse: body === undefined ? '' : JSON.stringify(body),
  };
}

const pathOf = (name: string): string => `/${encodeURIComponent(name)}`;

const select = supabase.task({
  type: 'Select',
  title: 'Select rows of a table of Supabase',
  description: 'Reads rows of a table.',
  properties: {
    ...table,
    ...returned,
    filter: may.text('A filter such as `age=gte.18&name=like.A*`.'),
    order: may.text('The order, such as `created_at.desc`.'),
    limit: may.integer('The most rows.'),
    offset: may.integer('How many rows are skipped.'),
  },
  output: outputs('rows', 'size'),
  run: (client, { table: name, select: columns, filter, order, limit, offset }) => {
    const query = { select: columns, ...toFilter(filter), order, limit, offset };
    return call(client, { path: pathOf(name), query }, 'rows', 'size');
  },
  example: { table: 'orders', select: 'id,total', filter: 'paid=is.true&total=gte.10', limit: 10 },
});

const insert = supabase.task({
  type: 'Insert',
  title: 'Insert rows into a table of Supabase',
  description: 'Inserts one row or several. With `onConflict` rows that are there are merged or kept.',
  properties: {
    ...table,
    ...returned,
    data: need.any('One row as a map, or a list of rows.'),
    onConflict: may.text('The columns that make a row unique.'),
    resolution: preset.text(
      'merge-duplicates',
      '`merge-duplicates` or `ignore-duplicates`, with `onConflict`.',
    ),
  },
  output: outputs('insertedRows', 'insertedCount'),
  run: (client, { table: name, select: columns, data, onConflict, resolution }) => {
    const rows = rowsOf(data);
    const prefer = ['return=representation', ...(onConflict ? [`resolution=${resolution}`] : [])].join(',');
    const query = { select: columns, on_conflict: onConflict };
    const request = { method: 'POST', path: pathOf(name), query, headers: { prefer }, body: rows } as const;
    return call(client, request, 'insertedRows', 'insertedCount');
  },
  example: { table: 'orders', data: { id: 42, total: 9.9 }, onConflict: 'id' },
});

/** Rows may be maps, or the text of JSON in each item of a list. */
function rowsOf(data: unknown): unknown {
  const read = (value: unknown): unknown => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      throw new TaskFailed('"data" must be a map or a list of maps.', { retry: false });
    }
  };
  const value = read(data);
  return Array.isArray(value) ? value.map(read) : value;
}

const update = supabase.task({
  type: 'Update',
  title: 'Update rows of a table of Supabase',
  description: 'Changes the rows that match a filter.',
  properties: {
    ...table,
    ...returned,
    data: need.map('The columns and their values.'),
    filter: need.text('A filter such as `id=eq.42`.'),
  },
  output: outputs('updatedRows', 'updatedCount'),
  run: (client, { table: name, select: columns, data, filter }) => {
    const query = { select: columns, ...filled(filter) };
    const headers = { prefer: 'return=representation' };
    const request = { method: 'PATCH', path: pathOf(name), query, headers, body: data } as const;
    return call(client, request, 'updatedRows', 'updatedCount');
  },
  example: { table: 'orders', filter: 'id=eq.42', data: { paid: true } },
});

const remove = supabase.task({
  type: 'Delete',
  title: 'Delete rows of a table of Supabase',
  description: 'Deletes the rows that match a filter.',
  properties: { ...table, ...returned, filter: need.text('A filter such as `id=eq.42`.') },
  output: outputs('deletedRows', 'deletedCount'),
  run: (client, { table: name, select: columns, filter }) => {
    const query = { select: columns, ...filled(filter) };
    const headers = { prefer: 'return=representation' };
    return call(
      client,
      { method: 'DELETE', path: pathOf(name), query, headers },
      'deletedRows',
      'deletedCount',
    );
  },
  example: { table: 'orders', filter: 'id=eq.42' },
});

/** An empty filter would change every row of the table. */
function filled(filter: string): JsonMap {
  const values = toFilter(filter);
  if (Object.keys(values).length === 0)
    throw new TaskFailed('"filter" must not be empty: it would match every row.', { retry: false });
  return values;
}

const query = supabase.task({
  type: 'Query',
  title: 'Call a function of Supabase',
  description: 'Calls a function of the database and returns its rows.',
  properties: {
    functionName: need.text('The name of the function.'),
    parameters: may.map('Its parameters.'),
  },
  output: outputs('rows', 'size'),
  run: (client, { functionName, parameters = {} }) =>
    call(client, { method: 'POST', path: `/rpc${pathOf(functionName)}`, body: parameters }, 'rows', 'size'),
  example: { functionName: 'top_orders', parameters: { top: 3 } },
});

export const supabaseTypes = [select, insert, update, remove, query];
