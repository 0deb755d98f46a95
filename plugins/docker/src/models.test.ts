import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelDelete, modelList, modelPull } from './models.ts';

let server: Server;
let host = '';
const calls: string[] = [];

/** The calls of Docker Model Runner, with the paths and bodies of its documentation. */
beforeAll(async () => {
  server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push(`${request.method} ${request.url} ${body}`);
      if (request.method === 'GET')
        return reply.end(
          JSON.stringify([{ id: 'sha256:1', tags: ['ai/smollm2'], created: 5, config: { size: '256 MiB' } }]),
        );
      if (request.method === 'POST')
        return reply.end(
          body.includes('none') ? '{"type":"error","message":"not found"}\n' : 'Model pulled successfully\n',
        );
      return request.url === '/models/ai/smollm2' ? reply.end() : reply.writeHead(404).end('model not found');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const aContext = () => aTaskContext(realNetwork());

test('lists, pulls and deletes models', async () => {
  expect(await runType(modelList, { host }, aContext())).toEqual({
    models: [{ id: 'sha256:1', tags: ['ai/smollm2'], created: 5, config: { size: '256 MiB' } }],
  });
  await runType(modelPull, { host, model: 'ai/smollm2' }, aContext());
  await runType(modelDelete, { host, model: 'ai/smollm2' }, aContext());
  expect(calls).toEqual([
    'GET /models ',
    'POST /models/create {"from":"ai/smollm2"}',
    'DELETE /models/ai/smollm2 ',
  ]);
});

test.each([
  [modelPull, 'none', 'could not be pulled'],
  [modelDelete, 'other', 'status 404: model not found'],
])('reports a model that does not exist', async (type, model, message) => {
  await expect(runType(type, { host, model }, aContext())).rejects.toThrow(message);
});

test('reports a server that is not there', async () => {
  const failure = runType(modelList, { host: 'http://127.0.0.1:1' }, aContext());
  await expect(failure).rejects.toThrow('Docker Model Runner could not be reached');
});
