import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signSharedKey, signTable } from '../client/sharedKey.ts';

export const account = 'devstoreaccount1';
export const key = Buffer.from('a key of the account').toString('base64');

export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface DoubleResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | Buffer;
}

/** A double of Azure: it checks shared keys and bearer tokens, and lets the test respond. */
export async function startAzureDouble() {
  const requests: DoubleRequest[] = [];
  let respond: (request: DoubleRequest) => DoubleResponse = () => ({});
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '/', `http://${headers.host}`);
    const request = {
      method,
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      headers,
      body: Buffer.concat(chunks),
    };
    const {
      status = 200,
      headers: more = {},
      body = '',
    } = isAllowed(method, url, headers)
      ? respond(request)
      : {
          status: 403,
          body: '<Error><Code>AuthenticationFailed</Code><Message>wrong signature</Message></Error>',
        };
    requests.push(request);
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    outgoing
      .writeHead(status, more)
      .end(method === 'HEAD' ? undefined : isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = `${url}/${account}`;
  const text = `AccountName=${account};AccountKey=${key};BlobEndpoint=${endpoint};DfsEndpoint=${endpoint};TableEndpoint=${endpoint}`;
  return {
    url,
    connection: { connectionString: text },
    wrongConnection: { connectionString: text.replace(key, Buffer.from('another').toString('base64')) },
    requests,
    respond(next: typeof respond) {
      respond = next;
      requests.length = 0;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export type AzureDouble = Awaited<ReturnType<typeof startAzureDouble>>;

function isAllowed(method: string, url: URL, headers: IncomingHttpHeaders): boolean {
  const { authorization = '' } = headers;
  if (!authorization.startsWith('SharedKey ')) return true;
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const signed = { account, key, method, url: url.href, headers: flat };
  return [signSharedKey(signed), signTable(signed), signSharedKey({ ...signed, prefix: 'ocp-' })].includes(
    authorization,
  );
}
