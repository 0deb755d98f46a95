import { expect, test } from 'vitest';
import { aContext, aService, rowsIn, run } from '../testing/service.ts';

async function aTypesense() {
  const documents = new Map<string, Record<string, unknown>>();
  const put = (document: Record<string, unknown>) => {
    if (typeof document.title !== 'string') return false;
    documents.set(String(document.id), document);
    return true;
  };
  const service = await aService(({ method, path, search, headers, text }) => {
    if (headers['x-typesense-api-key'] !== 'correct-key')
      return [401, { message: 'Forbidden - a valid `x-typesense-api-key` header must be sent.' }];
    if (path === '/collections/books/documents/import') {
      const lines = text.split('\n').map((line) => ({ line, isStored: put(JSON.parse(line)) }));
      return [
        200,
        lines
          .map(({ line, isStored }) =>
            JSON.stringify(
              isStored ? { success: true } : { success: false, error: 'no title', document: line },
            ),
          )
          .join('\n'),
      ];
    }
    if (path === '/collections/books/documents/search') {
      const all = [...documents.values()].sort((a, b) => Number(a.id) - Number(b.id));
      const size = Number(search.get('per_page'));
      const from = (Number(search.get('page') ?? 1) - 1) * size;
      const counts = [{ value: search.get('filter_by') ?? 'none', count: all.length }];
      return [
        200,
        {
          found: all.length,
          hits: all.slice(from, from + size).map((document) => ({ document })),
          facet_counts: [{ field_name: search.get('facet_by'), counts }],
        },
      ];
    }
    if (method === 'POST') {
      put(JSON.parse(text));
      return [201, JSON.parse(text)];
    }
    const found = documents.get(decodeURIComponent(path.split('/').at(-1) ?? ''));
    return found ? [200, found] : [404, { message: 'Could not find a document with id.' }];
  });
  const { host, port } = service;
  return { service, server: { host, port: String(port), apiKey: 'correct-key', collection: 'books' } };
}

test('documents are indexed one by one and in bulk, read and found on every page', async () => {
  const { service, server } = await aTypesense();
  const context = aContext();
  await run('typesense.DocumentIndex', { ...server, document: { id: '1', title: 'Frankenstein' } });
  expect(service.requests[0]?.search.get('action')).toBe('upsert');
  const read = await run('typesense.DocumentGet', { ...server, documentId: '1' });
  expect(read.document).toEqual({ id: '1', title: 'Frankenstein' });
  const lines = Array.from({ length: 600 }, (_, id) => JSON.stringify({ id: `${id}`, title: `t${id}` }));
  const from = await context.files.put('rows.ion', lines.join('\n'));
  expect(await run('typesense.BulkIndex', { ...server, from, chunk: 250 }, context)).toEqual({ size: 600 });
  expect(context.metrics.filter(({ name }) => name === 'requests.count')).toHaveLength(3);
  const found = await run('typesense.Search', { ...server, query: '*', queryBy: 'title' }, context);
  expect(found.totalHits).toBe(600);
  expect(await rowsIn(context, found.uri)).toHaveLength(600);
  const facets = { ...server, query: '*', queryBy: 'title', facetBy: 'author', filter: 'year:>2000' };
  const counted = await run('typesense.FacetSearch', facets, context);
  expect(await rowsIn(context, counted.uri)).toEqual([{ field: 'author', value: 'year:>2000', count: 600 }]);
});

test('a wrong key, a missing document and a refused document are named', async () => {
  const { server } = await aTypesense();
  const context = aContext();
  await expect(run('typesense.DocumentGet', { ...server, apiKey: 'wrong', documentId: '1' })).rejects.toThrow(
    'status 401: "Forbidden',
  );
  await expect(run('typesense.DocumentGet', { ...server, documentId: '1' })).rejects.toThrow(
    'Could not find a document',
  );
  const from = await context.files.put('rows.ion', '{"id":"1","title":"a"}\n{"id":"2"}\n');
  await expect(run('typesense.BulkIndex', { ...server, from }, context)).rejects.toThrow(
    '1 documents were refused: no title ({"id":"2"})',
  );
});
