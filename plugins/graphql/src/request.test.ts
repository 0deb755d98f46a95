import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { coreFamily } from '@millrace/plugin-core';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { graphqlRequest } from './request.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** A GraphQL server that always sends this response. */
async function aServer(response: string) {
  const received: Received[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      received.push({
        method,
        url,
        authorization: headers.authorization,
        contentType: headers['content-type'],
        body,
      });
      reply.writeHead(200, { 'content-type': 'application/json' }).end(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  return { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, received };
}

async function send(response: string, properties: object = {}) {
  const { uri, received } = await aServer(response);
  const findType = (type: string) => coreFamily.types.find((each) => each.type === type);
  const context = aTaskContext({ ...realNetwork(), findType });
  const outputs = await runType(graphqlRequest, { uri, query: '{ a }', ...properties }, context);
  return { uri, outputs, received };
}

test('posts the query with its variables and returns the data', async () => {
  const more = {
    variables: { id: 7 },
    operationName: 'x',
    headers: { authorization: 'Bearer t' },
    params: { p: '1' },
  };
  const { uri, outputs, received } = await send('{"data":{"a":1}}', more);
  expect(outputs).toMatchObject({ uri: `${uri}?p=1`, code: 200, body: { a: 1 } });
  expect(received).toEqual([
    {
      method: 'POST',
      url: '/graphql?p=1',
      authorization: 'Bearer t',
      contentType: expect.stringContaining('application/json'),
      body: { query: '{ a }', variables: { id: 7 }, operationName: 'x' },
    },
  ]);
});

test('errors are returned, or fail the task', async () => {
  const response = '{"errors":[{"message":"no such field"}],"data":null}';
  expect((await send(response)).outputs).toMatchObject({ body: null, error: [{ message: 'no such field' }] });
  await expect(send(response, { failOnGraphQLErrors: true })).rejects.toThrow('no such field');
  await expect(send('<html>')).rejects.toThrow('The response is not valid GraphQL: <html>');
});

test('HTTP options are those of the HTTP task', async () => {
  const options = { auth: { type: 'BASIC', username: 'a', password: 'b' } };
  const { received } = await send('{"data":{}}', { options });
  expect(received[0]?.authorization).toBe('Basic YTpi');
  await expect(send('{"data":{}}', { options: { oops: 1 } })).rejects.toThrow('Invalid properties');
});

test('the data can be stored encrypted', async () => {
  const { outputs } = await send('{"data":{"a":1}}', { encryptBody: true });
  expect(outputs.body).toBeNull();
  expect(outputs.encryptedBody).toBeDefined();
});
