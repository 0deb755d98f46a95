import { setTimeout as delay } from 'node:timers/promises';
import { anything, choice, defineTask, flag, integer, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { call, connectionProperty, type Engine, isMap } from './client.ts';
import { requestMetrics, searchExample } from './example.ts';
import { fetchTypeProperty, keepRows, rowsOutput } from './rows.ts';
import { counted } from './search.ts';

const elasticsearch: Engine = { name: 'elasticsearch', title: 'Elasticsearch' };
const opensearch: Engine = { name: 'opensearch', title: 'OpenSearch' };

const base = {
  connection: connectionProperty(),
  routing: text().optional().describe('Accepted for compatibility.'),
  fetchType: fetchTypeProperty(),
};

/** Columns and lists of values as rows. */
function toRows(columns: unknown, values: unknown, isColumnar: boolean): Record<string, unknown>[] {
  const names = (Array.isArray(columns) ? columns : []).map((column) =>
    String(isMap(column) ? column.name : column),
  );
  const lists: unknown[][] = Array.isArray(values) ? values : [];
  if (!isColumnar) return lists.map((list) => Object.fromEntries(names.map((name, at) => [name, list[at]])));
  const length = lists[0]?.length ?? 0;
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(names.map((name, column) => [name, lists[column]?.[row]])),
  );
}

const pollMs = 500;

export const esql = defineTask({
  type: 'elasticsearch.Esql',
  title: 'Query Elasticsearch with ES|QL',
  description: 'Runs a query in the language ES|QL and returns its rows.',
  input: () =>
    z.object({
      ...base,
      query: text().describe('The query.'),
      filter: anything().optional().describe('A filter in the query language of searches.'),
      params: listOf(text()).optional().describe('Values for the `?` of the query.'),
      columnar: flag().default(false).describe('Let the server send columns instead of rows.'),
      async: flag()
        .default(false)
        .describe('Let the server run the query in the background, for long queries.'),
    }),
  output: () => z.object(rowsOutput),
  metrics: requestMetrics.slice(0, 2),
  sideEffects: true,
  examples: [
    searchExample(elasticsearch, 'Esql', 'Count orders.', ['query: FROM orders | STATS count = COUNT(*)']),
  ],
  async run(context, { connection, fetchType, query, filter, params, columnar, async: isAsync }) {
    const body = { query, columnar, ...(filter !== undefined && { filter }), ...(params && { params }) };
    let answer = await counted(context, () =>
      call(context, connection, { method: 'POST', path: isAsync ? '_query/async' : '_query', body }),
    );
    while (isMap(answer.body) && answer.body.is_running === true) {
      const path = `_query/async/${encodeURIComponent(String(answer.body.id))}`;
      await delay(pollMs, undefined, { signal: context.signal });
      answer = await counted(context, () => call(context, connection, { method: 'GET', path }));
    }
    const result = isMap(answer.body) ? answer.body : {};
    const rows = toRows(result.columns, result.values, columnar);
    return keepRows(context, rows, rows.length, fetchType);
  },
});

export const ppl = defineTask({
  type: 'opensearch.Ppl',
  title: 'Query OpenSearch with PPL',
  description:
    'Runs a query in the Piped Processing Language and returns its rows, or its text with the formats CSV and RAW.',
  input: () =>
    z.object({
      ...base,
      query: text().describe('The query.'),
      fetchSize: integer({ min: 1 }).optional().describe('The most rows that are returned.'),
      format: choice(['JDBC', 'CSV', 'RAW']).default('JDBC').describe('The format of the response.'),
    }),
  output: () =>
    z.object({ ...rowsOutput, text: z.string().optional().describe('The response, with CSV and RAW.') }),
  metrics: requestMetrics.slice(0, 2),
  sideEffects: true,
  examples: [
    searchExample(opensearch, 'Ppl', 'Find orders.', ["query: source=orders | where customer = 'Ada'"]),
  ],
  async run(context, { connection, fetchType, query, fetchSize, format }) {
    const { body } = await counted(context, () =>
      call(context, connection, {
        method: 'POST',
        path: '_plugins/_ppl',
        parameters: { format: format.toLowerCase() },
        body: { query, ...(fetchSize !== undefined && { fetch_size: fetchSize }) },
      }),
    );
    if (format !== 'JDBC') return { size: 0, total: 0, text: String(body) };
    const result = isMap(body) ? body : {};
    const rows = toRows(result.schema, result.datarows, false);
    return keepRows(context, rows, Number(result.total ?? rows.length), fetchType);
  },
});
