import { aTaskContext, realNetwork } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { aContext, aService, rowsIn, run } from '../testing/service.ts';

/** Stores documents and indexes them at the second poll, as Meilisearch does in the background. */
async function aMeilisearch() {
  const documents = new Map<string, Record<string, unknown>>();
  const looks = new Map<string, number>();
  let tasks = 0;
  const service = await aService(({ method, path, headers, text }) => {
    if (headers.authorization !== 'Bearer correct-key') return [403, { message: 'The API key is invalid.' }];
    const body = text === '' ? {} : JSON.parse(text);
    if (path.startsWith('/tasks/')) {
      const look = (looks.get(path) ?? 0) + 1;
      looks.set(path, look);
      if (look === 1) return [200, { status: 'processing' }];
      return [...documents.values()].some(({ id }) => id === undefined)
        ? [200, { status: 'failed', error: { message: 'no primary key' } }]
        : [200, { status: 'succeeded' }];
    }
    if (method === 'POST' && path === '/indexes/movies/documents') {
      for (const document of body) documents.set(String(document.id), document);
      return [202, { taskUid: tasks++ }];
    }
    if (method === 'GET') {
      const found = documents.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
      return found ? [200, found] : [404, { message: 'Document not found.', code: 'document_not_found' }];
    }
    if (path === '/indexes/movies/facet-search')
      return [200, { facetHits: [{ value: body.facetName, count: body.filter.length }] }];
    const { page, hitsPerPage, q } = body;
    const all = [...documents.values()].filter(({ title }) => String(title).includes(q));
    const hits = all.slice((page - 1) * hitsPerPage, page * hitsPerPage);
    return [200, { hits, totalHits: all.length, totalPages: Math.ceil(all.length / hitsPerPage) }];
  });
  return { service, server: { url: service.url, key: 'correct-key' } };
}

test('documents of a file are added in batches, indexed, read and found on every page', async () => {
  const { service, server } = await aMeilisearch();
  const context = aContext();
  const lines = Array.from({ length: 450 }, (_, id) => JSON.stringify({ id, title: `movie ${id}` }));
  const from = await context.files.put('rows.ion', lines.join('\n'));
  const added = await run(
    'meilisearch.DocumentAdd',
    { ...server, index: 'movies', from, batchSize: 200 },
    context,
  );
  expect(added).toEqual({ taskUids: [0, 1, 2], documentsAdded: 450 });
  expect(context.metrics).toEqual([{ name: 'documentAdded', type: 'counter', value: 450 }]);
  expect(service.requests.filter(({ path }) => path === '/tasks/2')).toHaveLength(2);
  const { document } = await run('meilisearch.DocumentGet', { ...server, index: 'movies', documentId: '7' });
  expect(document).toEqual({ id: 7, title: 'movie 7' });
  const found = await run('meilisearch.Search', { ...server, index: 'movies', query: 'movie' }, context);
  expect(found.totalHits).toBe(450);
  expect(await rowsIn(context, found.uri)).toHaveLength(450);
});

test('documents can be written in the flow, and facets are counted', async () => {
  const { server } = await aMeilisearch();
  const context = aContext();
  const from = [{ id: 'a/b', title: 'x' }];
  expect(await run('meilisearch.DocumentAdd', { ...server, index: 'movies', from })).toMatchObject({
    documentsAdded: 1,
  });
  const { document } = await run('meilisearch.DocumentGet', {
    ...server,
    index: 'movies',
    documentId: 'a/b',
  });
  expect(document).toMatchObject({ title: 'x' });
  const facets = { ...server, index: 'movies', facetName: 'genre', filters: ['rating > 3', 'year > 2000'] };
  const counted = await run('meilisearch.FacetSearch', facets, context);
  expect(counted.totalHits).toBe(1);
  expect(await rowsIn(context, counted.uri)).toEqual([{ value: 'genre', count: 2 }]);
});

test('a wrong key, a missing document, a refused document and a closed network are named', async () => {
  const { server } = await aMeilisearch();
  const add = { ...server, index: 'movies', from: [{ title: 'without id' }] };
  await expect(run('meilisearch.DocumentAdd', { ...add, key: 'wrong' })).rejects.toThrow(
    'The API key is invalid.',
  );
  await expect(run('meilisearch.DocumentAdd', add)).rejects.toThrow(
    'did not index the documents: no primary key',
  );
  await expect(run('meilisearch.DocumentAdd', { ...add, from: 'text' })).rejects.toThrow(
    'Expected the URI of a file',
  );
  const get = { ...server, index: 'movies', documentId: 'none' };
  await expect(run('meilisearch.DocumentGet', get)).rejects.toThrow('status 404: "Document not found."');
  await expect(
    run('meilisearch.DocumentGet', { ...get, url: 'http://no-such-host.invalid' }),
  ).rejects.toThrow('no-such-host.invalid');
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('meilisearch.DocumentGet', get, closed)).rejects.toThrow(
    'not allowed by the outbound policy',
  );
});
