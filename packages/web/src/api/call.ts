import {
  type Base,
  type BodyOf,
  type Endpoint,
  fillPath,
  type ParamsOf,
  type QueryInputOf,
  type ReplyOf,
} from '@millrace/contract';
import { ApiError, reportFailure } from './ApiError.ts';
import { advanceActivity, beginActivity } from './activity.ts';
import { queryString } from './queryString.ts';
import { recoverSession } from './session.ts';
import { apiRoot, basePath, providerRoot } from './tenant.ts';

const timeoutMs = 15_000;
/** Uploads and runs that wait for their end may take long. */
const multipartTimeoutMs = 3_600_000;

type None = Record<string, never>;
type Described = Pick<Endpoint, 'access' | 'base' | 'method' | 'path' | 'bodyKind' | 'replyKind'>;

/** Multipart bodies have no schema in the contract: their fields are named by the flow's inputs. */
type Body<E> = E extends { bodyKind: 'multipart' }
  ? { body?: FormData }
  : E extends { bodyKind: 'text' }
    ? { body?: string }
    : BodyOf<E> extends undefined
      ? { body?: never }
      : { body: BodyOf<E> };

export type CallArgs<E> = (ParamsOf<E> extends None ? { params?: never } : { params: ParamsOf<E> }) &
  (QueryInputOf<E> extends None ? { query?: never } : { query?: QueryInputOf<E> }) &
  Body<E> & {
    signal?: AbortSignal;
    /** Beside those that every call sends. */
    headers?: Readonly<Record<string, string>>;
    /** `handled`: the caller shows every failure itself, so neither a toast nor the error page appears. */
    failures?: 'reported' | 'handled';
  };

/**
 * Makes one call of the contract: `await call(flows.getFlow, { params: { namespace, id } })`.
 * Rejects with an ApiError for any answer that is not a success.
 */
export async function call<const E extends Described>(endpoint: E, args: CallArgs<E>): Promise<ReplyOf<E>> {
  return (await callForResponse(endpoint, args)).body;
}

/** Like `call`, for the few responses whose headers matter. */
export function callForResponse<const E extends Described>(
  endpoint: E,
  args: CallArgs<E>,
): Promise<{ body: ReplyOf<E>; headers: Headers }> {
  const limit = AbortSignal.timeout(endpoint.bodyKind === 'multipart' ? multipartTimeoutMs : timeoutMs);
  return ask(endpoint, args, limit, async (response) => {
    const body = endpoint.replyKind === 'file' ? await response.blob() : await readBody(response);
    // The server validates what it sends against the same contract.
    return { body: body as ReplyOf<E>, headers: response.headers };
  });
}

/**
 * As `call`, for a list that may be long: hands over its beginning while the rest is still on its way. The server ends a
 * line where a piece of the list ends. Nothing more is read until the consumer of a piece is ready for the next.
 */
export function callInPieces<const E extends Described>(
  endpoint: E,
  args: CallArgs<E>,
  onPiece: (piece: ReplyOf<E>) => unknown,
): Promise<void> {
  // A long list may take its time, as long as it begins to come.
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException('The server is silent.', 'TimeoutError')),
    timeoutMs,
  );
  return ask(endpoint, args, limit.signal, async (response) => {
    clearTimeout(timer);
    let line = '';
    const take = async () => {
      const items = line.replace(/^[[,]/, '').replace(/\]$/, '');
      line = '';
      if (items !== '') await onPiece(JSON.parse(`[${items}]`) as ReplyOf<E>); // As above.
    };
    await readText(response, async (text) => {
      const [first = '', ...rest] = text.split('\n');
      line += first;
      for (const next of rest) {
        await take();
        line = next;
      }
    });
    await take();
  }).finally(() => clearTimeout(timer));
}

async function ask<const E extends Described, T>(
  endpoint: E,
  args: CallArgs<E>,
  limit: AbortSignal,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const request = { method: endpoint.method, url: urlOf(endpoint, args) };
  const end = beginActivity();
  try {
    const sentAt = Date.now();
    let response = await send(request, endpoint, args, limit);
    // The calls that make a session are open to anyone: their 401 is an answer to the form that sent them.
    if (response.status === 401 && endpoint.access !== 'anyone' && (await recoverSession(sentAt)))
      response = await send(request, endpoint, args, limit);
    if (!response.ok) throw new ApiError(request, response.status, await readBody(response));
    return await read(response);
  } catch (error) {
    if (args.signal?.aborted) throw error;
    const failure = error instanceof ApiError ? error : new ApiError(request, 0, undefined, error);
    if (args.failures !== 'handled') reportFailure(failure);
    throw failure;
  } finally {
    end();
  }
}

const roots: Record<Base, () => string> = { product: apiRoot, server: basePath, provider: providerRoot };

/** The address of a call, for links, downloads and event streams. */
export function urlOf(
  endpoint: Pick<Endpoint, 'base' | 'path'>,
  args: { params?: Record<string, unknown>; query?: Record<string, unknown> },
): string {
  const params = (args.params ?? {}) as Record<string, string | number>; // Path parameters are text or numbers.
  const root = roots[endpoint.base ?? 'product']();
  return `${root}${fillPath(endpoint.path, params)}${queryString(args.query ?? {})}`;
}

async function send<E extends Described>(
  request: { method: string; url: string },
  endpoint: E,
  args: CallArgs<E>,
  limit: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (endpoint.bodyKind === 'json') headers['Content-Type'] = 'application/json';
  if (endpoint.bodyKind === 'yaml') headers['Content-Type'] = 'application/x-yaml';
  if (endpoint.bodyKind === 'text') headers['Content-Type'] = 'text/plain';
  Object.assign(headers, args.headers);
  const body = args.body as unknown;
  const signal = args.signal ? AbortSignal.any([args.signal, limit]) : limit;
  if (holdsFiles(body)) return await upload({ ...request, headers, body, signal });
  return await fetch(request.url, {
    method: request.method,
    headers,
    signal,
    ...(body === undefined
      ? {}
      : { body: endpoint.bodyKind === 'json' ? JSON.stringify(body) : (body as BodyInit) }), // Typed by `Body`.
  });
}

async function readBody(response: Response): Promise<unknown> {
  const pieces: string[] = [];
  await readText(response, (text) => pieces.push(text));
  const text = pieces.join('');
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as unknown) : text;
}

/** Reads piece by piece, so that the progress bar sees a large answer arrive. */
async function readText({ body }: Response, take: (text: string) => unknown): Promise<void> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    await take(piece.value);
    advanceActivity();
  }
}

interface UploadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData;
  readonly signal: AbortSignal;
}

/** Sends files. `fetch` cannot tell how far an upload is; the older request can. */
function upload({ method, url, headers, body, signal }: UploadRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = advanceActivity;
    request.onload = () => resolve(toResponse(request));
    request.onerror = () => reject(new TypeError('The upload failed.'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): Response {
  const { status, statusText } = request;
  const type = request.getResponseHeader('content-type');
  return new Response(request.responseText === '' ? null : request.responseText, {
    status,
    statusText,
    headers: type === null ? {} : { 'content-type': type },
  });
}

const holdsFiles = (body: unknown): body is FormData =>
  body instanceof FormData && [...body.values()].some((value) => value instanceof File);
