import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signatureProblem } from './checkSignature.ts';
import { keys } from './obsDouble.ts';

export interface Call {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A service of Huawei Cloud that checks signatures and lets the test respond. */
export async function startService(respond: (call: Call) => object | undefined) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString('utf8');
    const address = `http://${request.headers.host}${request.url}`;
    const arrived = { asks: `${request.method} ${address}`, raw, headers: request.headers };
    const problem = signatureProblem(arrived, () => keys.secretAccessKey);
    if (problem) return response.writeHead(401).end(JSON.stringify({ error_msg: problem }));
    const url = new URL(address);
    const call = {
      path: `${request.method} ${url.pathname}`,
      query: Object.fromEntries(url.searchParams),
      body: raw === '' ? {} : JSON.parse(raw),
    };
    calls.push(call);
    const found = respond(call);
    return response
      .writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    connection: {
      endpointOverride: `http://127.0.0.1:${port}`,
      projectId: 'p1',
      region: 'eu-west-101',
      ...keys,
    },
    calls,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
