import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Task } from '@millrace/contract';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { createOutboundClient, readInput, renderProperties, runTask } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { download } from './download.ts';
import { request } from './request.ts';
import { httpTrigger } from './trigger.ts';

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const echo: RequestListener = async (incoming, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      method: incoming.method,
      url: incoming.url,
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    }),
  );
};

function aHttpContext(variables = {}) {
  const client = createOutboundClient();
  onTestFinished(() => client.close());
  return aTaskContext({ fetch: (sent) => client.send(sent), variables });
}

const run = async (
  definition: TaskDefinition,
  properties: Record<string, unknown>,
  context = aHttpContext(),
) => (await runTask(definition, { id: 't', type: definition.type, ...properties } as Task, context)).outputs;

const echoed = async (properties: Record<string, unknown>, context = aHttpContext()) =>
  JSON.parse(
    String(
      (await run(request, { uri: `${await listen(echo)}/a path`, method: 'POST', ...properties }, context))
        .body,
    ),
  );

test('sends a body as JSON unless told otherwise', async () => {
  expect(await echoed({ body: '{"a":1}' })).toMatchObject({
    method: 'POST',
    url: '/a%20path',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  });
  expect(await echoed({ body: 'x', contentType: 'text/plain' })).toMatchObject({
    headers: { 'content-type': 'text/plain' },
  });
});

test.each([
  [{ a: 1, who: '{{ who }}' }, '{"a":1,"who":"me"}'],
  [[1, '{{ who }}'], '[1,"me"]'],
  ['{{ map }}', '{"deep":{"n":1}}'],
  [7, '7'],
])('sends the body %j as the text %s', async (body, text) => {
  const context = aHttpContext({ who: 'me', map: { deep: { n: 1 } } });
  expect(await echoed({ body }, context)).toMatchObject({
    body: text,
    headers: { 'content-type': 'application/json' },
  });
});

test('sends a form', async () => {
  expect(await echoed({ formData: { a: 'b c', n: 1 } })).toMatchObject({
    body: 'a=b+c&n=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
});

test('sends files in a multipart form, whose names cannot break out of it', async () => {
  const context = aHttpContext();
  const uri = await context.files.put('data.csv', 'a,b');
  const named = { name: 'x"\r\nX-Evil: 1.csv', content: uri };
  const formData = { text: 'hi', file: uri, named, written: { name: 'w.txt', content: 'c,d' } };
  const { body } = await echoed({ formData, contentType: 'multipart/form-data' }, context);
  expect(body).toContain('name="text"\r\n\r\nhi\r\n');
  expect(body).toContain(
    'name="file"; filename="data.csv"\r\nContent-Type: application/octet-stream\r\n\r\na,b\r\n',
  );
  expect(body).toContain(
    'name="written"; filename="w.txt"\r\nContent-Type: application/octet-stream\r\n\r\nc,d\r\n',
  );
  expect(body).toContain('filename="x%22%0D%0AX-Evil: 1.csv"');
});

test.each([
  [{ auth: { type: 'BASIC', username: 'u', password: 'p' } }, 'Basic dTpw'],
  [{ auth: { type: 'BEARER', token: 'abc' } }, 'Bearer abc'],
  [{ basicAuthUser: 'u', basicAuthPassword: 'p' }, 'Basic dTpw'],
])('logs in with %j', async (options, authorization) => {
  expect(await echoed({ options })).toMatchObject({ headers: { authorization } });
});

test('a status of 400 and above fails, with what the answer says and without the password in the address', async () => {
  const base = await listen((_, response) => response.writeHead(503).end('come back later'));
  const uri = base.replace('//', '//user:hunter2@');
  await expect(run(request, { uri })).rejects.toThrow(/answered with status 503: come back later/);
  await expect(run(request, { uri })).rejects.not.toThrow('hunter2');
  expect(await run(request, { uri: base, options: { allowFailed: true } })).toMatchObject({
    code: 503,
    body: 'come back later',
  });
});

test('an answer that is too large is refused', async () => {
  const uri = await listen((_, response) => response.end('x'.repeat(1000)));
  await expect(run(request, { uri, options: { maxContentLength: 100 } })).rejects.toThrow(
    'larger than 100 bytes',
  );
});

test('reads an answer in the encoding it names', async () => {
  const uri = await listen((_, response) => {
    response.setHeader('content-type', 'text/plain; charset=ISO-8859-1');
    response.end(Buffer.from([0xe9]));
  });
  expect(await run(request, { uri })).toMatchObject({ body: 'é' });
});

test('downloads a file under its own name', async () => {
  const context = aHttpContext();
  const base = await listen((_, response) => response.end('content'));
  const outputs = await run(download, { uri: `${base}/dir/rates.csv?x=1` }, context);
  expect(outputs).toMatchObject({ code: 200, length: 7 });
  expect(outputs.uri).toMatch(/rates\.csv$/);
  expect(await context.files.text(String(outputs.uri))).toBe('content');
  expect(context.metrics).toEqual([{ name: 'response.length', type: 'counter', value: 7 }]);
});

test('an empty or broken download fails', async () => {
  const empty = await listen((_, response) => response.end());
  await expect(run(download, { uri: empty })).rejects.toThrow('is empty');
  expect(await run(download, { uri: empty, failOnEmptyResponse: false })).toMatchObject({ length: 0 });
  const broken = await listen((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('x', () => response.destroy());
  });
  await expect(run(download, { uri: broken })).rejects.toThrow();
});

test('the trigger starts an execution when the condition on the answer holds', async () => {
  let status = 500;
  const uri = await listen((_, response) => response.writeHead(status).end('body'));
  const context = aHttpContext();
  const poll = async (more: Record<string, unknown> = {}) => {
    const rendered = await renderProperties(httpTrigger, { uri, ...more }, context);
    return httpTrigger.poll?.(context, readInput(httpTrigger.type, httpTrigger.input, rendered));
  };
  expect(await poll()).toBeUndefined();
  expect(await poll({ responseCondition: '{{ response.statusCode == 500 }}' })).toMatchObject({ code: 500 });
  status = 200;
  expect(await poll()).toMatchObject({ code: 200, body: 'body' });
});
