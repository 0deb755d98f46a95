import {
  type Definition,
  defineTask,
  fetchRows,
  flag,
  integer,
  mapOf,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, callService, isMap, segment } from '../base/callService.ts';
import { batchesOf, readDocuments } from '../base/documents.ts';
import { fileInput, taskExample } from '../base/example.ts';
import { readLines } from './readLines.ts';

const connection = {
  host: text().describe('The host of the server.'),
  port: text().describe('Its port, usually 8108.'),
  apiKey: text().describe('The API key.'),
  collection: text().describe('The collection.'),
  https: flag().default(false).describe('Connect with TLS.'),
};

interface Connection {
  readonly host: string;
  readonly port: string;
  readonly apiKey: string;
  readonly collection: string;
  readonly https: boolean;
}

/** The parts of every request: address, path below the collection and key. */
function requestTo(
  context: TaskContext,
  { host, port, apiKey, collection, https }: Connection,
  path: string,
) {
  context.masker.add(apiKey);
  return {
    url: `${https ? 'https' : 'http'}://${host}:${port}`,
    path: `collections/${segment(collection)}/documents${path}`,
    headers: { 'x-typesense-api-key': apiKey },
  };
}

const exampleLines = [
  'host: search.example.com',
  'port: "8108"',
  `apiKey: "{{ secret('TYPESENSE_KEY') }}"`,
  'collection: books',
];

const documentIndex = defineTask({
  type: 'typesense.DocumentIndex',
  title: 'Index a document in Typesense',
  description: 'Adds a document to a collection, or replaces the one with the same `id`.',
  input: () => z.object({ ...connection, document: mapOf(z.unknown()).describe('The document.') }),
  output: () => z.object({}),
  sideEffects: true,
  examples: [
    taskExample('typesense.DocumentIndex', 'Index a book.', [
      ...exampleLines,
      'document:',
      '  id: "1"',
      '  title: Frankenstein',
    ]),
  ],
  async run(context, { document, ...server }) {
    await callJson(context, {
      ...requestTo(context, server, ''),
      method: 'POST',
      parameters: { action: 'upsert' },
      body: document,
    });
    return {};
  },
});

const documentGet = defineTask({
  type: 'typesense.DocumentGet',
  title: 'Read a document from Typesense',
  description: 'Returns one document. The task fails if there is none with this id.',
  input: () => z.object({ ...connection, documentId: text().describe('The id of the document.') }),
  output: () => z.object({ document: z.record(z.string(), z.unknown()).describe('The document.') }),
  sideEffects: true,
  examples: [taskExample('typesense.DocumentGet', 'Read a book.', [...exampleLines, 'documentId: "1"'])],
  async run(context, { documentId, ...server }) {
    const { body } = await callJson(context, {
      ...requestTo(context, server, `/${segment(documentId)}`),
      method: 'GET',
    });
    return { document: isMap(body) ? body : {} };
  },
});

const maxReasons = 10;

const bulkIndex = defineTask({
  type: 'typesense.BulkIndex',
  title: 'Index the rows of a file in Typesense',
  description:
    'Adds documents to a collection, or replaces those with the same `id`. The task fails if a document is refused.',
  input: () =>
    z.object({
      ...connection,
      from: storageUri().describe('The file in internal storage, one document a line.'),
      chunk: integer({ min: 1 }).default(1000).describe('How many documents are sent at once.'),
    }),
  output: () => z.object({ size: z.number().describe('How many documents were indexed.') }),
  metrics: [
    { name: 'requests.count', type: 'counter', description: 'How many requests were sent.' },
    { name: 'records', type: 'counter', description: 'How many documents were indexed.' },
  ],
  sideEffects: true,
  examples: [
    taskExample(
      'typesense.BulkIndex',
      'Index the rows of a file.',
      [...exampleLines, 'from: "{{ inputs.file }}"'],
      fileInput,
    ),
  ],
  async run(context, { from, chunk, ...server }) {
    let size = 0;
    for await (const batch of batchesOf(readDocuments(context, from), chunk)) {
      const { content } = await callService(context, {
        ...requestTo(context, server, '/import'),
        method: 'POST',
        parameters: { action: 'upsert' },
        body: batch.map((document) => JSON.stringify(document)).join('\n'),
      });
      context.metric({ name: 'requests.count', type: 'counter', value: 1 });
      checkResults(await readLines(content));
      size += batch.length;
    }
    context.metric({ name: 'records', type: 'counter', value: size });
    return { size };
  },
});

/** An import succeeds although single documents fail, so each result is checked. */
function checkResults(results: readonly unknown[]): void {
  const refused = results.filter(isMap).filter(({ success }) => success !== true);
  if (refused.length === 0) return;
  const reasons = refused.slice(0, maxReasons).map(({ error, document }) => `${error} (${document})`);
  throw new TaskFailed(`${refused.length} documents were refused: ${reasons.join('; ')}`, { retry: false });
}

const searchProperties = {
  ...connection,
  query: text().describe('The words to search for; `*` finds everything.'),
  queryBy: text().describe('The fields to search in, separated by commas.'),
  filter: text().optional().describe('A filter, such as `year:>2000`.'),
  sortBy: text().optional().describe('The order, such as `year:desc`.'),
};

interface SearchInput extends Connection {
  readonly query: string;
  readonly queryBy: string;
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
}

async function searchPage(
  context: TaskContext,
  { query, queryBy, filter, sortBy, ...server }: SearchInput,
  more: Readonly<Record<string, string | number>>,
): Promise<Record<string, unknown>> {
  const { body } = await callJson(context, {
    ...requestTo(context, server, '/search'),
    method: 'GET',
    parameters: { q: query, query_by: queryBy, filter_by: filter, sort_by: sortBy, ...more },
  });
  return isMap(body) ? body : {};
}

const foundOutput = (rows: string) => () =>
  z.object({
    uri: z.string().describe(rows),
    totalHits: z.number().describe('How many documents match.'),
  });

/** The largest page that Typesense returns. */
const pageSize = 250;

const search = defineTask({
  type: 'typesense.Search',
  title: 'Search Typesense',
  description: 'Stores all documents that match a query in a file, best first.',
  input: () => z.object(searchProperties),
  output: foundOutput('A file with one document a line.'),
  sideEffects: true,
  examples: [
    taskExample('typesense.Search', 'Find books.', [...exampleLines, 'query: monster', 'queryBy: title']),
  ],
  async run(context, input) {
    let totalHits = 0;
    async function* documents() {
      for (let page = 1, seen = 0; ; page++) {
        const body = await searchPage(context, input, { page, per_page: pageSize });
        totalHits = Number(body.found ?? 0);
        const hits = Array.isArray(body.hits) ? body.hits.filter(isMap) : [];
        for (const { document } of hits) if (isMap(document)) yield document;
        seen += hits.length;
        if (hits.length === 0 || seen >= totalHits) return;
      }
    }
    const { uri = '' } = await fetchRows(context, 'STORE', documents());
    return { uri, totalHits };
  },
});

const facetSearch = defineTask({
  type: 'typesense.FacetSearch',
  title: 'Count documents by facet in Typesense',
  description:
    'Stores the values of facets and how many matching documents have each of them in a file, as rows with `field`, `value` and `count`.',
  input: () =>
    z.object({ ...searchProperties, facetBy: text().describe('The facet fields, separated by commas.') }),
  output: foundOutput('A file with one value of a facet a line.'),
  sideEffects: true,
  examples: [
    taskExample('typesense.FacetSearch', 'Count books by author.', [
      ...exampleLines,
      'query: "*"',
      'queryBy: title',
      'facetBy: author',
    ]),
  ],
  async run(context, { facetBy, ...input }) {
    const body = await searchPage(context, input, {
      per_page: 0,
      facet_by: facetBy,
      max_facet_values: 10_000,
    });
    const facets = Array.isArray(body.facet_counts) ? body.facet_counts.filter(isMap) : [];
    const rows = facets.flatMap(({ field_name: field, counts }) =>
      (Array.isArray(counts) ? counts.filter(isMap) : []).map(({ value, count }) => ({
        field,
        value,
        count,
      })),
    );
    const { uri = '' } = await fetchRows(context, 'STORE', rows);
    return { uri, totalHits: Number(body.found ?? 0) };
  },
});

export const typesenseTypes: readonly Definition[] = [
  documentIndex,
  documentGet,
  bulkIndex,
  search,
  facetSearch,
];
