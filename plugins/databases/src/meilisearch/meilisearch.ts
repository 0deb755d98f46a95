import { setTimeout as delay } from 'node:timers/promises';
import {
  type Definition,
  defineTask,
  duration,
  fetchRows,
  flag,
  integer,
  listOf,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, isMap, segment } from '../base/callService.ts';
import { batchesOf, readDocuments } from '../base/documents.ts';
import { fileInput, taskExample } from '../base/example.ts';

const connection = {
  url: text().describe('The address of the server, such as `https://search.example.com:7700`.'),
  key: text().describe('The API key.'),
};

interface Connection {
  readonly url: string;
  readonly key: string;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly allow?: readonly number[];
}

async function call(context: TaskContext, { url, key }: Connection, request: Request) {
  context.masker.add(key);
  const { status, body } = await callJson(context, {
    ...request,
    url,
    headers: { authorization: `Bearer ${key}` },
  });
  return { status, body: isMap(body) ? body : {} };
}

const exampleLines = ['url: https://search.example.com:7700', `key: "{{ secret('MEILISEARCH_KEY') }}"`];

const documentAdd = defineTask({
  type: 'meilisearch.DocumentAdd',
  title: 'Add documents to Meilisearch',
  description:
    'Adds documents to an index, or replaces those with the same primary key. Meilisearch indexes in the background: by default the task waits until it is done and fails if a document is refused.',
  input: () =>
    z.object({
      ...connection,
      from: someValue().describe(
        'The documents: the URI of a file in internal storage with one row a line, a list of maps, or one map.',
      ),
      index: text().describe('The index; it is created if it does not exist.'),
      batchSize: integer({ min: 1 }).default(1000).describe('How many documents are sent at once.'),
      waitForIndexing: flag().default(true).describe('Wait until the documents are indexed.'),
      waitTimeout: duration().prefault('PT5M').describe('How long to wait for the index.'),
    }),
  output: () =>
    z.object({
      taskUids: z.array(z.number()).describe('The ids of the tasks of Meilisearch.'),
      documentsAdded: z.number().describe('How many documents were sent.'),
    }),
  metrics: [{ name: 'documentAdded', type: 'counter', description: 'How many documents were sent.' }],
  sideEffects: true,
  examples: [
    taskExample(
      'meilisearch.DocumentAdd',
      'Add the rows of a file.',
      [...exampleLines, 'index: movies', 'from: "{{ inputs.file }}"'],
      fileInput,
    ),
  ],
  async run(context, { from, index, batchSize, waitForIndexing, waitTimeout, ...server }) {
    const taskUids: number[] = [];
    let documentsAdded = 0;
    for await (const batch of batchesOf(readDocuments(context, from), batchSize)) {
      const { body } = await call(context, server, {
        method: 'POST',
        path: `indexes/${segment(index)}/documents`,
        body: batch,
      });
      taskUids.push(Number(body.taskUid));
      documentsAdded += batch.length;
    }
    context.metric({ name: 'documentAdded', type: 'counter', value: documentsAdded });
    if (waitForIndexing) {
      const deadline = Date.now() + waitTimeout;
      for (const uid of taskUids) await waitForTask(context, server, uid, deadline);
    }
    return { taskUids, documentsAdded };
  },
});

async function waitForTask(
  context: TaskContext,
  server: Connection,
  uid: number,
  deadline: number,
): Promise<void> {
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    const { body } = await call(context, server, { method: 'GET', path: `tasks/${uid}` });
    if (body.status === 'succeeded') return;
    if (body.status === 'failed' || body.status === 'canceled') {
      const reason = isMap(body.error) ? body.error.message : body.status;
      throw new TaskFailed(`Meilisearch did not index the documents: ${reason}`, { retry: false });
    }
    if (Date.now() > deadline)
      throw new TaskFailed(
        `Task ${uid} of Meilisearch is not done after "waitTimeout"; it is ${body.status}.`,
      );
    await delay(pauseMs, undefined, { signal: context.signal });
  }
}

const documentGet = defineTask({
  type: 'meilisearch.DocumentGet',
  title: 'Read a document from Meilisearch',
  description: 'Returns one document. The task fails if there is none with this id.',
  input: () =>
    z.object({
      ...connection,
      documentId: text().describe('The primary key of the document.'),
      index: text().describe('The index.'),
    }),
  output: () => z.object({ document: z.record(z.string(), z.unknown()).describe('The document.') }),
  sideEffects: true,
  examples: [
    taskExample('meilisearch.DocumentGet', 'Read a movie.', [
      ...exampleLines,
      'index: movies',
      'documentId: "25684"',
    ]),
  ],
  async run(context, { documentId, index, ...server }) {
    const path = `indexes/${segment(index)}/documents/${segment(documentId)}`;
    return { document: (await call(context, server, { method: 'GET', path })).body };
  },
});

const foundOutput = () =>
  z.object({
    uri: z.string().describe('A file with one hit a line.'),
    totalHits: z.number().describe('How many hits there are.'),
  });

const pageSize = 200;

const search = defineTask({
  type: 'meilisearch.Search',
  title: 'Search Meilisearch',
  description:
    'Stores all documents that match a query in a file, best first. The setting `pagination.maxTotalHits` of the index limits their number (1,000 by default).',
  input: () =>
    z.object({
      ...connection,
      query: text().optional().describe('The words to search for; everything when absent.'),
      index: text().describe('The index.'),
    }),
  output: foundOutput,
  sideEffects: true,
  examples: [
    taskExample('meilisearch.Search', 'Find movies.', [...exampleLines, 'index: movies', 'query: wonder']),
  ],
  async run(context, { query, index, ...server }) {
    let totalHits = 0;
    async function* hits() {
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { body } = await call(context, server, {
          method: 'POST',
          path: `indexes/${segment(index)}/search`,
          body: { q: query ?? '', page, hitsPerPage: pageSize },
        });
        totalHits = Number(body.totalHits ?? 0);
        pages = Number(body.totalPages ?? 0);
        if (Array.isArray(body.hits)) yield* body.hits.filter(isMap);
      }
    }
    const { uri = '' } = await fetchRows(context, 'STORE', hits());
    return { uri, totalHits };
  },
});

const facetSearch = defineTask({
  type: 'meilisearch.FacetSearch',
  title: 'Search the values of a facet in Meilisearch',
  description: 'Stores the values of a facet and how many documents have each of them in a file.',
  input: () =>
    z.object({
      ...connection,
      index: text().describe('The index.'),
      facetName: text().describe('The attribute; it must be filterable.'),
      facetQuery: text().optional().describe('The beginning of the values.'),
      filters: listOf(text()).default([]).describe('Filters on the documents; all of them must match.'),
    }),
  output: foundOutput,
  sideEffects: true,
  examples: [
    taskExample('meilisearch.FacetSearch', 'Count movies by genre.', [
      ...exampleLines,
      'index: movies',
      'facetName: genres',
      'filters:',
      '  - rating > 3',
    ]),
  ],
  async run(context, { index, facetName, facetQuery, filters, ...server }) {
    const { body } = await call(context, server, {
      method: 'POST',
      path: `indexes/${segment(index)}/facet-search`,
      body: { facetName, ...(facetQuery !== undefined && { facetQuery }), filter: filters },
    });
    const hits = Array.isArray(body.facetHits) ? body.facetHits.filter(isMap) : [];
    const { uri = '' } = await fetchRows(context, 'STORE', hits);
    return { uri, totalHits: hits.length };
  },
});

export const meilisearchTypes: readonly Definition[] = [documentAdd, documentGet, search, facetSearch];
