import {
  dropMissing,
  isMap,
  type JsonMap,
  mapIn,
  mapsIn,
  messageOf,
  type OutboundRequest,
  type OutboundResponse,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugin-kit';

export { dropMissing, isMap, type JsonMap, mapIn, mapsIn };

export interface JsonCall extends Pick<OutboundRequest, 'certificates' | 'trustAllCertificates'> {
  /** The name of the service, for messages. */
  readonly service: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; form data and search parameters are sent as forms. */
  readonly body?: unknown;
  /** Statuses besides 2xx that the caller handles. */
  readonly allow?: readonly number[];
  readonly readIdleTimeoutMs?: number;
  readonly bodyIdleTimeoutMs?: number;
}

const maxBytes = 64 * 1024 * 1024;

/** Calls a JSON API. An error response fails the task with the service's message. */
export async function callJson(
  context: TaskContext,
  call: JsonCall,
): Promise<{ status: number; body: JsonMap }> {
  const { status, text } = await callText(context, call);
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return { status, body: isMap(value) ? value : { value } };
  } catch {
    throw new TaskFailed(
      `${call.service} did not respond with JSON: ${context.masker.mask(text.slice(0, 300))}`,
    );
  }
}

export async function callText(
  context: TaskContext,
  call: JsonCall,
): Promise<{ status: number; text: string }> {
  const { status, body } = await callBody(context, call);
  return { status, text: await readAll(body) };
}

/** Calls an API whose response is read in pieces. */
export async function callBody(
  context: TaskContext,
  { service, url, method, headers, body, allow = [], ...rest }: JsonCall,
): Promise<Pick<OutboundResponse, 'status' | 'body'>> {
  const form =
    body instanceof FormData || body instanceof URLSearchParams ? await encodeForm(body) : undefined;
  const response = await context
    .fetch({
      ...rest,
      url,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': form?.type ?? 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: form?.bytes ?? JSON.stringify(body) }),
      signal: context.signal,
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`${service} could not be reached: ${context.masker.mask(messageOf(error))}`, {
        cause: error,
      });
    });
  if (response.status < 300 || allow.includes(response.status)) return response;
  const text = await readAll(response.body);
  throw new TaskFailed(
    `${service} responded with status ${response.status}: ${context.masker.mask(reasonIn(text))}${advice(response.status)}`,
    { retry: response.status === 429 || response.status >= 500 },
  );
}

async function encodeForm(form: FormData | URLSearchParams) {
  const encoded = new Response(form);
  return {
    type: encoded.headers.get('content-type') ?? 'multipart/form-data',
    bytes: new Uint8Array(await encoded.arrayBuffer()),
  };
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TaskFailed('The response is larger than 64 MB.', { retry: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The message in an error response; its location differs between services. */
function reasonIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const error = isMap(value) ? (value.error ?? value.detail ?? value.message ?? value.status) : undefined;
    const reason = isMap(error) ? (error.message ?? error.reason ?? error.error) : error;
    if (typeof reason === 'string') return reason.slice(0, 1000);
  } catch {
    // Not JSON, so it is shown as it is.
  }
  return text.slice(0, 1000);
}

function advice(status: number): string {
  if (status === 401 || status === 403) return ' Check the credentials.';
  if (status === 404) return ' Check the address and the names in the request.';
  if (status === 429) return ' Add a `retry` to the task to wait longer.';
  return '';
}

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
