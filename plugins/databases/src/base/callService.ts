import { messageOf, readJsonText, type TaskContext, TaskFailed } from '@millrace/plugin-kit';

export interface ServiceCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The address of the server, with or without a path. */
  readonly url: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A map or list is sent as JSON. */
  readonly body?: unknown;
  readonly connectTimeoutMs?: number;
  readonly readTimeoutMs?: number;
  /** Statuses besides 2xx that the caller handles. */
  readonly allow?: readonly number[];
}

export interface ServiceResponse {
  readonly status: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Sends one request. A status that the caller does not handle fails with the server's reason. */
export async function callService(context: TaskContext, call: ServiceCall): Promise<ServiceResponse> {
  const url = toUrl(call);
  const body =
    call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  const response = await context
    .fetch({
      url: url.href,
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': 'application/json',
          // Without it Node sends no body with DELETE.
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...call.headers,
      },
      signal: context.signal,
      ...(body !== undefined && { body }),
      ...(call.connectTimeoutMs !== undefined && { connectTimeoutMs: call.connectTimeoutMs }),
      ...(call.readTimeoutMs !== undefined && { readIdleTimeoutMs: call.readTimeoutMs }),
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`${url.origin} does not respond: ${messageOf(error)}`, { cause: error });
    });
  const { status } = response;
  if (status < 300 || call.allow?.includes(status)) return { status, content: response.body };
  const reason = reasonOf(await readText(response.body));
  throw new TaskFailed(
    `${call.method} ${url.origin}${url.pathname} failed with status ${status}: ${reason}`,
    {
      retry: status === 429 || status >= 500,
    },
  );
}

/** Sends one request and reads the JSON of its response; undefined when the response is empty. */
export async function callJson(
  context: TaskContext,
  call: ServiceCall,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, content } = await callService(context, call);
  const text = await readText(content);
  return { status, body: text.trim() === '' ? undefined : parse(text) };
}

function toUrl({ url, path, parameters = {} }: ServiceCall): URL {
  const base = /^https?:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(base)) throw new TaskFailed(`"${url}" is not an address.`, { retry: false });
  const full = new URL(`${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) full.searchParams.set(name, String(value));
  return full;
}

const maxBytes = 64 * 1_048_576;

async function readText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes)
      throw new TaskFailed('The response is larger than 64 MB; ask for fewer rows at a time.', {
        retry: false,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return readJsonText(text);
  } catch (cause) {
    throw new TaskFailed(`The response is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/** The message of an error response of any shape. */
function reasonOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(findReason(body) ?? body).slice(0, 500);
  } catch {
    return text.trim().slice(0, 500) || 'no reason given';
  }
}

function findReason(body: unknown): unknown {
  if (Array.isArray(body)) return findReason(body[0]);
  if (!isMap(body)) return body;
  const reason = body.message ?? body.information ?? body.error ?? body.details ?? body.errors ?? body.msg;
  return typeof reason === 'object' ? findReason(reason) : reason;
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Encodes a name as one path segment, so that it cannot change the call. */
export const segment = encodeURIComponent;
