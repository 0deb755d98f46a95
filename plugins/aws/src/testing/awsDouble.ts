import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsV4Signer } from 'aws4fetch';

export const keys = { accessKeyId: 'AKIDEXAMPLE', secretKeyId: 'a-secret-key' };

export interface DoubleRequest {
  /** From the signature: the service the request is meant for. */
  readonly service: string;
  readonly region: string;
  /** Of a JSON or query service. */
  readonly action: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** JSON, a form as a map, or text. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface DoubleResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A map is sent as JSON. */
  readonly body?: object | string | Buffer;
}

export type Answer = (request: DoubleRequest) => DoubleResponse | Promise<DoubleResponse>;

/** A double of AWS: it checks signature and content hash of each request as AWS does, and lets the test respond. */
export async function startAwsDouble() {
  const requests: DoubleRequest[] = [];
  let answer: Answer = () => ({ body: {} });
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const { authorization = '' } = incoming.headers;
    const [, id, region = '', service = ''] =
      /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\//.exec(authorization) ?? [];
    const problem = await checkSignature(incoming.method ?? '', url, incoming.headers, raw, {
      id,
      region,
      service,
    });
    const send = ({ status = 200, headers = {}, body = {} }: DoubleResponse) => {
      const isText = typeof body === 'string' || Buffer.isBuffer(body);
      outgoing.writeHead(status, headers).end(isText ? body : JSON.stringify(body));
    };
    if (problem) return send({ status: 403, body: { __type: 'SignatureDoesNotMatch', message: problem } });
    const request = toRequest(
      incoming.method ?? '',
      url,
      incoming.headers,
      raw.toString('utf8'),
      region,
      service,
    );
    requests.push(request);
    try {
      send(await answer(request));
    } catch (error) {
      send({ status: 400, body: { __type: 'TestFailed', message: String(error) } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    connection: { endpointOverride: endpoint, region: 'eu-west-1', ...keys },
    requests,
    /** Sets the responses from now on and clears the recorded requests. */
    respond(next: Answer) {
      answer = next;
      requests.length = 0;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export type AwsDouble = Awaited<ReturnType<typeof startAwsDouble>>;

/** Secrets of temporary credentials are derived from their id, so that the double can verify them. */
export const secretOf = (id: string): string =>
  id === keys.accessKeyId ? keys.secretKeyId : `secret of ${id}`;

async function checkSignature(
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
  scope: { id: string | undefined; region: string; service: string },
): Promise<string | undefined> {
  const { authorization = '' } = headers;
  // A web identity proves itself with a token.
  if (authorization === '' && body.includes('AssumeRoleWithWebIdentity')) return undefined;
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const given = signed.flatMap((name) => (name === 'host' ? [] : [[name, String(headers[name] ?? '')]]));
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: Object.fromEntries(given),
    body,
    accessKeyId: scope.id ?? '',
    secretAccessKey: secretOf(scope.id ?? ''),
    service: scope.service,
    region: scope.region,
    datetime: String(headers['x-amz-date']),
  });
  const expected = (await signer.sign()).headers.get('authorization');
  if (expected !== authorization) return `${authorization} is not ${expected}`;
  const hash = createHash('sha256').update(body).digest('hex');
  return headers['x-amz-content-sha256'] === hash ? undefined : 'the content has another hash';
}

function toRequest(
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
  text: string,
  region: string,
  service: string,
): DoubleRequest {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const body = isForm
    ? Object.fromEntries(new URLSearchParams(text))
    : text.startsWith('{')
      ? JSON.parse(text)
      : {};
  const target = headers['x-amz-target'];
  const action = typeof target === 'string' ? (target.split('.').at(-1) ?? '') : String(body.Action ?? '');
  const query = Object.fromEntries(url.searchParams);
  return { service, region, action, method, path: decodeURIComponent(url.pathname), query, headers, body };
}

/** A message of an event stream, as AWS sends it. Its checksums are left empty. */
export function streamEvent(type: string, payload: object, messageType = 'event'): Buffer {
  const header = (name: string, value: string) =>
    Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7, value.length >> 8, value.length & 255]),
      Buffer.from(value),
    ]);
  const kind = messageType === 'event' ? ':event-type' : ':exception-type';
  const headers = Buffer.concat([header(':message-type', messageType), header(kind, type)]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  return Buffer.concat([prelude, headers, body, Buffer.alloc(4)]);
}
