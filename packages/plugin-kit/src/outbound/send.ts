import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { rootCertificates, type SecureContextOptions } from 'node:tls';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import type { OutboundRequest, OutboundResponse, SocketRequest } from '../context.ts';
import { TaskFailed } from '../failure.ts';
import { checkUrl, createCheckedLookup, hostOf, lookUp } from './checkedLookup.ts';
import { clearError } from './clearError.ts';
import { openSocket } from './openSocket.ts';
import { createOutboundRules, type OutboundPolicy, type OutboundRules } from './policy.ts';
import { openTunnel } from './tunnel.ts';

const maxRedirects = 20;
const defaultConnectTimeoutMs = 30_000;
const defaultReadIdleTimeoutMs = 5 * 60_000;

/** The connections that the server opens on behalf of a user, all under one policy. */
export interface OutboundClient {
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Throws when the policy does not allow this address, under any of the names and numbers it may have. */
  check(url: string): Promise<void>;
  /** A TCP connection for clients of other protocols. */
  connect(request: SocketRequest): Promise<Socket>;
  /** Resolves host names to allowed addresses only. */
  readonly lookup: LookupFunction;
  close(): void;
}

interface Line {
  readonly rules: OutboundRules;
  readonly lookup: LookupFunction;
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent; readonly trusting: HttpsAgent };
}

export function createOutboundClient(policy: OutboundPolicy = {}): OutboundClient {
  const rules = createOutboundRules(policy);
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxFreeSockets: 32 }),
    https: new HttpsAgent({ keepAlive: true, maxFreeSockets: 32 }),
    trusting: new HttpsAgent({ keepAlive: true, maxFreeSockets: 8, rejectUnauthorized: false }),
  };
  const line: Line = { rules, agents, lookup: createCheckedLookup(rules) };
  return {
    send: (request) => follow(line, request),
    check: async (text) => {
      const url = readUrl(text);
      checkUrl(url, rules);
      await lookUp(line.lookup, hostOf(url));
    },
    connect: (request) =>
      request.proxy ? openTunnel(toUrl(request), request.proxy, line, request) : openSocket(request, line),
    lookup: line.lookup,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The address of a plain connection, which a proxy opens as it would for HTTP. */
const toUrl = ({ host, port }: SocketRequest): URL =>
  new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);

/** Sends, and goes where the answer points; every stop is checked like the first. */
async function follow(line: Line, first: OutboundRequest): Promise<OutboundResponse> {
  let request = first;
  for (let count = 0; ; count++) {
    const url = readUrl(request.url);
    checkUrl(url, line.rules);
    const answer = await sendOnce(line, url, request);
    const location = answer.headers.location;
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && location !== undefined;
    if (!isRedirect || request.followRedirects === false)
      return toResponse(url, answer, request.decompress !== false);
    answer.resume();
    if (count >= maxRedirects)
      throw new TaskFailed(`${first.url} redirects more than ${maxRedirects} times.`);
    request = redirected(request, url, new URL(location, url), answer.statusCode ?? 0);
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new TaskFailed(`"${text}" is not a valid address.`, { retry: false });
  return url;
}

const credentials = new Set(['authorization', 'cookie', 'proxy-authorization']);
const contentHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'transfer-encoding']);

/** The request that follows a redirect. Credentials are dropped when the origin changes. */
function redirected(request: OutboundRequest, from: URL, to: URL, status: number): OutboundRequest {
  const method = request.method ?? 'GET';
  const becomesGet =
    status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';
  const isElsewhere = from.origin !== to.origin;
  const headers = Object.entries(request.headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase();
    if (lower === 'host') return false;
    return !(isElsewhere && credentials.has(lower)) && !(becomesGet && contentHeaders.has(lower));
  });
  const { body, ...rest } = request;
  if (!becomesGet && body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TaskFailed(`${from.href} redirects a streamed body to ${to.href}, which cannot be sent twice.`);
  }
  return {
    ...rest,
    url: to.href,
    method: becomesGet ? 'GET' : method,
    headers: Object.fromEntries(headers),
    ...(becomesGet || body === undefined ? {} : { body }),
  };
}

/** An abort after the last byte arrived fails the socket when the request no longer listens, which would end the process. */
const ignore = () => {};

async function sendOnce(line: Line, url: URL, request: OutboundRequest): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const { agents } = line;
  const shared = isSecure ? (request.trustAllCertificates ? agents.trusting : agents.https) : agents.http;
  // A connection with the client certificate of one request must not be reused for another.
  const agent = request.certificates && isSecure ? new HttpsAgent() : shared;
  const tunnel = request.proxy ? await openTunnel(url, request.proxy, line, request) : undefined;
  const connectTimeoutMs = request.connectTimeoutMs ?? defaultConnectTimeoutMs;
  return new Promise((resolve, reject) => {
    const start = isSecure ? httpsRequest : httpRequest;
    const sent = start(url, {
      method: request.method ?? 'GET',
      headers: {
        ...(request.decompress === false ? {} : { 'accept-encoding': 'gzip, deflate, br' }),
        'user-agent': 'Millrace',
        ...toHeaders(request.headers),
      },
      lookup: line.lookup,
      ...(tunnel ? { agent: false, createConnection: () => tunnel } : { agent }),
      ...(request.trustAllCertificates && { rejectUnauthorized: false }),
      ...(isSecure && tlsOptions(request.certificates)),
      ...(request.signal && { signal: request.signal }),
    });
    let answer: IncomingMessage | undefined;
    const late = (what: string) => {
      const error = new Error(`${url.origin} did not ${what} in time.`);
      // Otherwise the reader of the body would only learn that the connection was closed.
      answer?.destroy(error);
      sent.destroy(error);
    };
    const connecting = setTimeout(late, connectTimeoutMs, 'accept the connection');
    const connected = () => clearTimeout(connecting);
    sent.on('socket', (socket) => {
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
      if (socket.connecting) socket.once('connect', connected);
      else connected();
    });
    sent.setTimeout(request.readIdleTimeoutMs ?? defaultReadIdleTimeoutMs, () =>
      late(answer ? 'continue its answer' : 'answer'),
    );
    sent.on('response', (response) => {
      answer = response;
      if (request.bodyIdleTimeoutMs !== undefined) sent.setTimeout(request.bodyIdleTimeoutMs);
      resolve(response);
    });
    sent.on('close', connected);
    sent.on('error', (error) =>
      reject(clearError(error, hostOf(url), url.port === '' ? (isSecure ? 443 : 80) : url.port)),
    );
    writeBody(sent, request.body, reject);
  });
}

function tlsOptions({
  ca,
  cert,
  key,
}: NonNullable<OutboundRequest['certificates']> = {}): SecureContextOptions {
  return { ...(ca && { ca: [...rootCertificates, ca] }), ...(cert && { cert }), ...(key && { key }) };
}

function writeBody(
  sent: ReturnType<typeof httpRequest>,
  body: OutboundRequest['body'],
  onError: (error: Error) => void,
): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) sent.end(body);
  else pipeline(Readable.from(body), sent, (error) => error && onError(error));
}

const toHeaders = (headers: OutboundRequest['headers'] = {}): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : [...value],
    ]),
  );

function toResponse(url: URL, answer: IncomingMessage, decompress: boolean): OutboundResponse {
  // The body's reader gets the error too; without a listener, an abort would end the process.
  answer.on('error', () => {});
  const headers: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(answer.headersDistinct)) if (values) headers[name] = values;
  return {
    status: answer.statusCode ?? 0,
    url: url.href,
    headers,
    body: decompress ? decoded(answer) : answer,
  };
}

function decoded(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase();
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate'
      ? createUnzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : undefined;
  if (!decoder) return answer;
  // An error of either stream ends the loop that reads the decoder.
  return pipeline(answer, decoder, () => {});
}
