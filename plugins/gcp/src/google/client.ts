import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, type OutboundResponse, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { fetchToken, findCredentials, findProject, type Login } from './credentials.ts';
import { isMap, type Json, mapAt, mapsAt, textAt } from './json.ts';

export type GoogleContext = Pick<TaskContext, 'fetch' | 'signal' | 'masker' | 'log'>;

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Call {
  readonly url: string;
  /** GET without a body, POST with one. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly content?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses besides 2xx that the caller handles. */
  readonly allow?: readonly number[];
  /** Sending it twice does no harm, so it is also sent again after a server error or a lost connection. */
  readonly idempotent?: boolean;
  /** The caller repeats it itself. */
  readonly once?: boolean;
  readonly readTimeoutMs?: number | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** An error response of Google with its reason. */
export class GoogleRefused extends TaskFailed {
  readonly status: number;
  readonly reason: string | undefined;

  constructor(message: string, { status, reason }: { status: number; reason: string | undefined }) {
    super(message, { retry: status === 429 || status >= 500 });
    this.status = status;
    this.reason = reason;
  }
}

const maxTries = 5;
const longestWaitMs = 64_000;
const maxBodyBytes = 256 * 1024 * 1024;
const limitReasons = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'RATE_LIMIT_EXCEEDED',
]);

/** How a call proves who it is. */
export type Authorize = (options: { readonly fresh: boolean }) => Promise<string>;

/** Calls Google's REST services: authenticates, retries when Google asks for it, and reports its errors. */
export class Google {
  readonly context: GoogleContext;
  readonly #authorize: Authorize;
  readonly #readTimeoutMs: number | undefined;

  constructor(context: GoogleContext, authorize: Authorize, readTimeoutMs?: number) {
    this.context = context;
    this.#authorize = authorize;
    this.#readTimeoutMs = readTimeoutMs;
  }

  /** The JSON of the response; an empty map when there is none. */
  async json(call: Call): Promise<Answer> {
    const response = await this.send(call);
    const text = (await readAll(response)).toString('utf8');
    return { status: response.status, body: parseMap(text) };
  }

  async get(url: string, query?: Call['query']): Promise<Json> {
    return (await this.json({ url, ...(query && { query }) })).body;
  }

  async post(url: string, body: unknown, query?: Call['query']): Promise<Json> {
    return (await this.json({ url, method: 'POST', body, ...(query && { query }) })).body;
  }

  /** Streams the items of a paginated list. */
  async *list(call: Call, items: string): AsyncGenerator<Json> {
    for await (const page of this.pages(call)) yield* mapsAt(page, items);
  }

  async *pages(call: Call): AsyncGenerator<Json> {
    let pageToken: string | undefined;
    do {
      const { body } = await this.json({ ...call, query: { ...call.query, pageToken } });
      yield body;
      // The results of BigQuery name it differently.
      pageToken = textAt(body, 'nextPageToken') || textAt(body, 'pageToken') || undefined;
    } while (pageToken !== undefined);
  }

  /** A response whose body the caller reads. */
  async send(call: Call): Promise<OutboundResponse> {
    const { signal } = this.context;
    let renewed = false;
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      const { response, failure } = await this.#try(call, renewed);
      if (response && (response.status < 300 || call.allow?.includes(response.status))) return response;
      const refusal = response ? await readRefusal(call, response) : undefined;
      if (response?.status === 401 && !renewed) {
        // Google no longer accepts the cached token.
        renewed = true;
        continue;
      }
      const error = refusal ?? failure;
      if (call.once || tries >= maxTries || !canRepeat(call, refusal)) throw error;
      const waitMs = waitOf(response, tries);
      await this.context.log('DEBUG', `${messageOf(error)} Trying again in ${Math.ceil(waitMs / 1000)} s.`);
      await delay(waitMs, undefined, { signal });
    }
  }

  async #try(call: Call, fresh: boolean): Promise<{ response?: OutboundResponse; failure?: unknown }> {
    const { context } = this;
    const token = await this.#authorize({ fresh });
    const content = call.content ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const readTimeoutMs = call.readTimeoutMs ?? this.#readTimeoutMs;
    try {
      const response = await context.fetch({
        url: withQuery(call.url, call.query),
        method: methodOf(call),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(call.body !== undefined && { 'content-type': 'application/json; charset=UTF-8' }),
          // Google rejects requests that have neither a length nor a body.
          ...(methodOf(call) !== 'GET' && { 'content-length': String(Buffer.byteLength(content ?? '')) }),
          ...call.headers,
        },
        ...(content !== undefined && { body: content }),
        ...(readTimeoutMs !== undefined && { readIdleTimeoutMs: readTimeoutMs }),
        signal: context.signal,
        followRedirects: false,
      });
      return { response };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      const message = `${new URL(call.url).host} could not be reached: ${messageOf(error)}`;
      return { failure: new TaskFailed(message, { cause: error }) };
    }
  }

  /** The same client for the clean-up after the task was killed, which gets ten seconds. */
  detached(): Google {
    return this.within(AbortSignal.timeout(10_000));
  }

  /** The same client, whose calls end with the signal. */
  within(signal: AbortSignal): Google {
    const { context } = this;
    return new Google(
      {
        fetch: (request) => context.fetch(request),
        log: (level, message) => context.log(level, message),
        masker: context.masker,
        signal,
      },
      this.#authorize,
      this.#readTimeoutMs,
    );
  }
}

const methodOf = ({ method, body, content }: Call): string =>
  method ?? (body === undefined && content === undefined ? 'GET' : 'POST');

export function withQuery(url: string, query: Call['query'] = {}): string {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of typeof value === 'object' ? value : [value])
      full.searchParams.append(name, String(each));
  }
  return full.href;
}

async function readAll({ body }: OutboundResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBodyBytes)
      throw new TaskFailed('The response of Google is larger than 256 MB.', { retry: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseMap(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const json: unknown = JSON.parse(text);
    return isMap(json) ? json : { items: json };
  } catch {
    throw new TaskFailed(`Google returned no JSON: ${text.slice(0, 200)}`);
  }
}

/** Every service has an `error` with `message`; older ones list reasons in `errors`, newer ones in `details`. */
async function readRefusal(call: Call, response: OutboundResponse): Promise<GoogleRefused> {
  const text = (await readAll(response)).toString('utf8');
  const json = (() => {
    try {
      const read: unknown = JSON.parse(text);
      // A stream of results reports its failure as the only item of a list.
      const [first] = Array.isArray(read) ? read : [read];
      return isMap(first) ? first : {};
    } catch {
      return {};
    }
  })();
  const error = mapAt(json, 'error');
  const details = [...mapsAt(error, 'errors'), ...mapsAt(error, 'details')];
  const reason = details.map((each) => textAt(each, 'reason')).find((each) => each !== undefined);
  const said = textAt(error, 'message') ?? (text.trim().slice(0, 500) || 'no reason given');
  const { status } = response;
  const kind = reason ?? textAt(error, 'status');
  const { host, pathname } = new URL(call.url);
  const advice =
    status === 401
      ? ' Check "serviceAccount".'
      : status === 403 && !limitReasons.has(kind ?? '')
        ? ' Check the roles of the account and that the API is enabled.'
        : '';
  const message = `${methodOf(call)} ${host}${pathname} failed with HTTP ${status}${kind ? ` (${kind})` : ''}: ${said.replace(/\.?\s*$/, '.')}${advice}`;
  return new GoogleRefused(message, { status, reason: kind });
}

function canRepeat(call: Call, refusal: GoogleRefused | undefined): boolean {
  const isSafe = call.idempotent ?? ['GET', 'PUT', 'DELETE'].includes(methodOf(call));
  if (!refusal) return isSafe;
  const { status, reason } = refusal;
  if (status === 429 || status === 503) return true;
  if (status === 403) return reason !== undefined && limitReasons.has(reason) && reason !== 'quotaExceeded';
  return isSafe && [408, 500, 502, 504].includes(status);
}

/** The delay that Google asks for, else exponential backoff from one second. */
function waitOf(response: OutboundResponse | undefined, tries: number): number {
  const asked = Number(response?.headers['retry-after']?.[0]);
  if (Number.isFinite(asked) && asked >= 0) return Math.min(asked * 1000, longestWaitMs);
  return Math.min(2 ** (tries - 1) * 1000, longestWaitMs) * (0.75 + Math.random() / 2);
}

/** A client with a login of another kind, such as the token of a user. */
export const openGoogleWith = (
  context: GoogleContext,
  authorize: Authorize,
  readTimeoutMs?: number,
): Google => new Google(context, authorize, readTimeoutMs);

export const openGoogle = (context: GoogleContext, login: Login, readTimeoutMs?: number): Google =>
  new Google(
    context,
    async ({ fresh }) => (await fetchToken(context, login, undefined, { fresh })).value,
    readTimeoutMs,
  );

/** The project of the task: the property, that of the key, or that of the machine. */
export async function projectOf(
  context: GoogleContext,
  {
    projectId,
    serviceAccount,
  }: { readonly projectId?: string | undefined; readonly serviceAccount?: string | undefined },
): Promise<string> {
  if (projectId) return projectId;
  const found = await findProject(context, await findCredentials(context, serviceAccount));
  if (found) return found;
  throw new TaskFailed('"projectId" must be given, because the credentials name no project.', {
    retry: false,
  });
}

/** A name inside a path. */
export const segment = (name: string): string => encodeURIComponent(name);
