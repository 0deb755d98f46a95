import type {
  HttpOptions,
  JsonMap,
  OutboundRequest,
  OutboundResponse,
  TaskContext,
} from '@millrace/plugin-kit';
import {
  authorizationOf,
  isAllowedStatus,
  isMap,
  messageOf,
  outboundOptions,
  sendWithinLimits,
  TaskFailed,
} from '@millrace/plugin-kit';
import type { Auth, TokenRequest } from './auth.ts';
import { errorText } from './errorText.ts';
import { toForm, toQuery } from './query.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface RestRequest {
  readonly method?: Method;
  /** Below the address of the service, or a whole URL. */
  readonly path: string;
  readonly query?: JsonMap;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as form fields. */
  readonly form?: JsonMap;
  /** Sent as it is; `content-type` is in the headers. */
  readonly content?: OutboundRequest['body'];
  /** Statuses that are returned instead of failing the task. */
  readonly accepts?: readonly number[];
  /** For URLs that contain their own credentials, such as upload sessions. */
  readonly withoutLogin?: boolean;
  /** Sent although the task was killed, to cancel its job at the service. */
  readonly afterKill?: boolean;
}

export interface RestResponse {
  readonly status: number;
  readonly headers: OutboundResponse['headers'];
  /** The value of JSON, otherwise the text. */
  readonly body: unknown;
}

export interface ClientOptions {
  /** The name of the service, for messages. */
  readonly name: string;
  readonly baseUrl: string;
  readonly auth?: Auth | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly options?: HttpOptions | undefined;
  /** Certificates are not checked. */
  readonly isInsecure?: boolean | undefined;
  /** PEM texts: a certificate authority, and the certificate and key of the client. */
  readonly certificates?: OutboundRequest['certificates'] | undefined;
  /** Headers that depend on the whole request, such as a signature. */
  readonly sign?: Sign | undefined;
}

export type Sign = (request: OutboundRequest) => Promise<Readonly<Record<string, string>>>;

export interface Download {
  readonly uri: string;
  readonly size: number;
  readonly headers: OutboundResponse['headers'];
}

export interface RestClient {
  send(request: RestRequest): Promise<RestResponse>;
  /** The response as a map; an empty one when the service responds with anything else. */
  ask(request: RestRequest): Promise<JsonMap>;
  /** Stores the body of the response as a file. */
  download(request: RestRequest, fileName: string): Promise<Download>;
  readonly baseUrl: string;
}

type ClientContext = Pick<TaskContext, 'fetch' | 'signal' | 'log' | 'masker' | 'files'>;

const maxResponseBytes = 64 * 1024 * 1024;
/** A token is renewed this long before it expires. */
const renewalMs = 60_000;

/**
 * Sends requests to one service for one task: authenticates, respects rate limits, and reports its errors.
 */
export function createRestClient(context: ClientContext, service: ClientOptions): RestClient {
  const baseUrl = service.baseUrl.replace(/\/+$/, '');
  if (!URL.canParse(baseUrl))
    throw new TaskFailed(`"${service.baseUrl}" is not a valid address of ${service.name}.`, { retry: false });
  const login = createLogin(context, service);

  async function open(request: RestRequest): Promise<OutboundResponse> {
    const url = urlOf(baseUrl, request);
    const usesLogin = !request.withoutLogin && url.origin === new URL(baseUrl).origin;
    const first = await sendOnce(url, request, usesLogin ? await login.current() : {});
    if (first.status !== 401 || !usesLogin || !login.isRenewable() || isStream(request.content)) return first;
    await drain(first);
    return sendOnce(url, request, await login.renewed());
  }

  async function sendOnce(url: URL, request: RestRequest, auth: Pick<Auth, 'headers' | 'query'>) {
    const address = `${url.href}${toQuery(auth.query ?? {}, url.search === '' ? '?' : '&')}`;
    const plain = toOutbound(context, service, address, request, auth.headers);
    const isSigned = service.sign && !request.withoutLogin && url.origin === new URL(baseUrl).origin;
    const outbound = isSigned
      ? { ...plain, headers: { ...plain.headers, ...(await service.sign?.(plain)) } }
      : plain;
    try {
      return await sendWithinLimits(context, service.name, () => context.fetch(outbound));
    } catch (error) {
      if (context.signal.aborted) throw error;
      const retry = !(error instanceof TaskFailed) || error.retry;
      const message = `${service.name} (${url.host}) could not be reached: ${messageOf(error)}`;
      throw new TaskFailed(context.masker.mask(message), { retry, cause: error });
    }
  }

  async function checked(request: RestRequest): Promise<OutboundResponse> {
    const response = await open(request);
    const { status } = response;
    const isFine =
      (status >= 200 && status < 300) ||
      request.accepts?.includes(status) ||
      (status >= 400 && isAllowedStatus(status, service.options));
    if (isFine) return response;
    const text = await readText(response, 10_000, 'cut');
    throw refusal(context, service.name, request, response, text);
  }

  const send = async (request: RestRequest): Promise<RestResponse> => {
    const response = await checked(request);
    const text = await readText(response, maxResponseBytes, 'fail');
    return { status: response.status, headers: response.headers, body: readBody(text) };
  };

  return {
    baseUrl,
    send,
    ask: async (request) => {
      const { body } = await send(request);
      return isMap(body) ? body : {};
    },
    download: async (request, fileName) => {
      const { body, headers } = await checked(request);
      let size = 0;
      async function* counted() {
        for await (const chunk of body) {
          size += chunk.length;
          yield chunk;
        }
      }
      const uri = await context.files.put(fileName, counted());
      return { uri, size, headers };
    },
  };
}

function createLogin(context: ClientContext, service: ClientOptions) {
  const { auth = {} } = service;
  let token: { headers: Readonly<Record<string, string>>; until: number } | undefined;

  const renewed = async (): Promise<Pick<Auth, 'headers' | 'query'>> => {
    if (!auth.token) return auth;
    const { value, expiresInMs } = await auth.token((request) => askForToken(context, service, request));
    context.masker.add(value);
    const headers = auth.withToken?.(value) ?? { authorization: `Bearer ${value}` };
    token = { headers, until: expiresInMs ? Date.now() + expiresInMs - renewalMs : Number.POSITIVE_INFINITY };
    return { headers: { ...auth.headers, ...headers }, ...(auth.query && { query: auth.query }) };
  };
  return {
    isRenewable: () => auth.token !== undefined,
    renewed,
    current: async () =>
      token && token.until > Date.now() ? { ...auth, headers: token.headers } : renewed(),
  };
}

/** Requests a token. Every failure here is about the credentials, regardless of the status. */
async function askForToken(
  context: ClientContext,
  service: ClientOptions,
  request: TokenRequest,
): Promise<unknown> {
  const client = createRestClient(context, {
    name: `The login of ${service.name}`,
    baseUrl: request.url,
    options: service.options,
    isInsecure: service.isInsecure,
  });
  const { body } = await client.send({
    method: 'POST',
    path: request.url,
    ...(request.headers && { headers: request.headers }),
    ...(request.form && { form: request.form }),
    ...(request.body && { body: request.body }),
  });
  return body;
}

function toOutbound(
  context: ClientContext,
  { headers, options, isInsecure, certificates }: ClientOptions,
  url: string,
  request: RestRequest,
  login: Auth['headers'] = {},
): OutboundRequest {
  const isForm = request.form !== undefined;
  const body = isForm
    ? toForm(request.form ?? {})
    : request.body === undefined
      ? request.content
      : JSON.stringify(request.body);
  const own = authorizationOf(options);
  const all: Record<string, string | undefined> = {
    accept: 'application/json',
    ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(own !== undefined && { authorization: own }),
    ...login,
    ...lowerCased(headers),
    ...lowerCased(request.headers),
  };
  return {
    url,
    method: request.method ?? 'GET',
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...outboundOptions(options),
    ...(isInsecure && { trustAllCertificates: true }),
    ...(certificates && { certificates }),
    ...(body !== undefined && { body }),
    signal: request.afterKill ? AbortSignal.timeout(1500) : context.signal,
  };
}

const lowerCased = (headers: Readonly<Record<string, string | undefined>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function urlOf(baseUrl: string, { path, query = {} }: RestRequest): URL {
  const whole = /^https?:\/\//i.test(path)
    ? path
    : `${baseUrl}${path.startsWith('/') || path === '' ? '' : '/'}${path}`;
  const address = `${whole}${toQuery(query, whole.includes('?') ? '&' : '?')}`;
  if (!URL.canParse(address)) throw new TaskFailed(`"${whole}" is not a valid address.`, { retry: false });
  return new URL(address);
}

const isStream = (content: OutboundRequest['body']): boolean =>
  content !== undefined && typeof content !== 'string' && !(content instanceof Uint8Array);

/** The value of JSON; any other text stays a text. */
function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function readText(
  response: OutboundResponse,
  maxBytes: number,
  beyond: 'cut' | 'fail',
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= maxBytes) continue;
    if (beyond === 'cut') break;
    throw new TaskFailed(`The response is larger than ${maxBytes} bytes.`, { retry: false });
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

const drain = (response: OutboundResponse): Promise<string> => readText(response, 10_000, 'cut');

/** An error response with the service's message. A retry helps only when the service is at fault or busy. */
function refusal(
  { masker }: ClientContext,
  name: string,
  { method = 'GET', path }: RestRequest,
  { status, url }: OutboundResponse,
  text: string,
): TaskFailed {
  const said = errorText(text);
  const place = URL.canParse(url) ? `${name} (${new URL(url).host})` : name;
  const advice =
    status === 401 || status === 403
      ? ' Check the credentials and their permissions.'
      : status === 429
        ? ' The service limits requests: add a `retry` with a longer interval to the task.'
        : '';
  const called = `${method} ${path.replace(/\?.*$/, '')}`;
  const message = `${place} responded with status ${status} to ${called}${said === '' ? '.' : `: ${said}`}${advice}`;
  return new TaskFailed(masker.mask(message), { retry: status === 408 || status === 429 || status >= 500 });
}
