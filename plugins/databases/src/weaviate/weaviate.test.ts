import { expect, test } from 'vitest';
import { aContext, aService, rowsIn, run } from '../testing/service.ts';

async function aWeaviate() {
  const service = await aService(({ method, path, headers, text }) => {
    if (headers.authorization !== 'Bearer correct-key' || headers['x-openai-api-key'] !== 'other-key')
      return [401, { error: [{ message: 'anonymous access not enabled' }] }];
    const body = text === '' ? {} : JSON.parse(text);
    if (path === '/v1/schema') return [200, body];
    if (path === '/v1/batch/objects' && method === 'POST')
      return [
        200,
        body.objects.map(({ properties }: { properties: { bad?: boolean } }) => ({
          result: properties.bad ? { errors: { error: [{ message: 'invalid text property' }] } } : {},
        })),
      ];
    if (path === '/v1/batch/objects') {
      const objects = [{ id: 'o1', status: 'SUCCESS' }];
      return [200, { results: { matches: 1, limit: 10_000, successful: 1, failed: 0, objects } }];
    }
    if (path.startsWith('/v1/objects/')) return path.endsWith('/known') ? [204, ''] : [404, ''];
    if (body.query.includes('Wrong')) return [200, { errors: [{ message: 'Cannot query field "Wrong"' }] }];
    return [200, { data: { Get: { Article: [{ title: 'First' }, { title: 'Second' }] } } }];
  });
  const headers = { 'x-openai-api-key': 'other-key' };
  return { service, server: { url: service.url, apiKey: 'correct-key', headers } };
}

test('a class is created, objects are added and queried', async () => {
  const { service, server } = await aWeaviate();
  const context = aContext();
  const fields = { title: ['text'], year: ['int'] };
  expect(await run('weaviate.SchemaCreate', { ...server, className: 'Article', fields })).toEqual({
    success: true,
  });
  expect(JSON.parse(service.requests[0]?.text ?? '')).toEqual({
    class: 'Article',
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'year', dataType: ['int'] },
    ],
  });
  const objects = [{ title: 'First' }, { id: 'i1', vector: [1], properties: { title: 'Second' } }];
  await run('weaviate.BatchCreate', { ...server, className: 'Article', objects });
  expect(JSON.parse(service.requests[1]?.text ?? '').objects).toEqual([
    { class: 'Article', properties: { title: 'First' } },
    { class: 'Article', id: 'i1', vector: [1], properties: { title: 'Second' } },
  ]);
  const from = await context.files.put('rows.ion', '{"title":"a"}\n'.repeat(250));
  await run('weaviate.BatchCreate', { ...server, className: 'Article', objects: from }, context);
  expect(service.requests).toHaveLength(5);
  const stored = await run('weaviate.Query', { ...server, query: '{ Get { Article { title } } }' }, context);
  expect(await rowsIn(context, stored.uri)).toEqual([{ title: 'First' }, { title: 'Second' }]);
});

test('objects are deleted by id, by filter or all', async () => {
  const { service, server } = await aWeaviate();
  const remove = (more: object) => run('weaviate.Delete', { ...server, className: 'Article', ...more });
  expect(await remove({ objectId: 'known' })).toMatchObject({
    success: true,
    deletedCount: 1,
    ids: ['known'],
  });
  expect(await remove({ objectId: 'unknown' })).toMatchObject({ success: false, deletedCount: 0, ids: [] });
  const deleted = { className: 'Article', success: true, deletedCount: 1, ids: ['o1'] };
  expect(await remove({ filter: { year: 2020, title: 'x', ok: true } })).toEqual(deleted);
  expect(JSON.parse(service.requests.at(-1)?.text ?? '').match.where).toEqual({
    operator: 'And',
    operands: [
      { path: ['year'], operator: 'Equal', valueInt: 2020 },
      { path: ['title'], operator: 'Equal', valueText: 'x' },
      { path: ['ok'], operator: 'Equal', valueBoolean: true },
    ],
  });
  expect(await remove({})).toEqual(deleted);
  expect(JSON.parse(service.requests.at(-1)?.text ?? '').match.where).toEqual({
    path: ['id'],
    operator: 'Like',
    valueText: '*',
  });
});

test('a wrong key, a wrong query and a refused object are named', async () => {
  const { server } = await aWeaviate();
  const query = '{ Get { Wrong { title } } }';
  await expect(run('weaviate.Query', { ...server, query })).rejects.toThrow('Cannot query field "Wrong"');
  await expect(run('weaviate.Query', { ...server, query, apiKey: 'x' })).rejects.toThrow('anonymous access');
  const objects = [{ bad: true }];
  await expect(run('weaviate.BatchCreate', { ...server, className: 'A', objects })).rejects.toThrow(
    '1 objects were refused: invalid text property',
  );
  await expect(run('weaviate.BatchCreate', { ...server, objects })).rejects.toThrow(
    '"className" is required',
  );
});
