import { setTimeout as delay } from 'node:timers/promises';
import {
  messageOf,
  type OutboundResponse,
  readXml,
  type TaskContext,
  TaskFailed,
  textAt,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export interface AzureRequest {
  /** The action and its object, for messages. */
  readonly action: string;
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
  /** Statuses besides 2xx that the caller handles. */
  readonly accept?: readonly number[];
  /** Sent once: a second try could do the work twice. */
  readonly once?: boolean;
}

/** Adds the authentication. Called for each attempt, because a signature contains the time. */
export type Authorize = (
  request: AzureRequest,
  headers: Record<string, string>,
) => Promise<{ headers: Record<string, string>; url?: string }>;

const maxTries = 4;

/** A call that Azure rejected, with status and code. */
export class AzureError extends TaskFailed {
  readonly status: number;
  readonly code: string;

  constructor(message: string, { status, code, retry }: { status: number; code: string; retry: boolean }) {
    super(message, { retry });
    this.status = status;
    this.code = code;
  }
}

/** Sends the request and retries transient failures with backoff. */
export async function sendAzure(
  context: TaskContext,
  service: string,
  authorize: Authorize,
  request: AzureRequest,
): Promise<OutboundResponse> {
  const { signal } = context;
  for (let tries = 1; ; tries++) {
    const isLast = tries >= maxTries || request.once === true;
    const response = await sendOnce(context, authorize, request).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      if (!isLast) return undefined;
      const host = new URL(request.url).origin;
      throw new TaskFailed(`${service} did not answer (${request.action}) at ${host}: ${messageOf(error)}`, {
        cause: error,
      });
    });
    if (response) {
      if (response.status < 300 || request.accept?.includes(response.status)) return response;
      const { code, message } = await readFailure(response);
      const retry = response.status === 408 || response.status === 429 || response.status >= 500;
      if (isLast || !retry)
        throw new AzureError(`${service} refused ${request.action}: ${message}`, {
          status: response.status,
          code,
          retry,
        });
    }
    await delay(Math.random() * 100 * 2 ** tries, undefined, { signal });
  }
}

async function sendOnce(
  context: TaskContext,
  authorize: Authorize,
  request: AzureRequest,
): Promise<OutboundResponse> {
  const { method, body } = request;
  const given = Object.entries(request.headers ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  );
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
  const headers = {
    ...Object.fromEntries(given),
    ...((hasBody || length > 0) && { 'content-length': String(length) }),
  };
  const authorized = await authorize(request, headers);
  return context.fetch({
    url: authorized.url ?? request.url,
    method,
    headers: authorized.headers,
    signal: context.signal,
    followRedirects: false,
    decompress: false,
    ...(body === undefined ? {} : { body }),
  });
}

const JsonFailure = z.looseObject({
  error: z
    .looseObject({
      code: z.string().optional(),
      message: z.union([z.string(), z.looseObject({})]).optional(),
    })
    .optional(),
  'odata.error': z
    .looseObject({
      code: z.string().optional(),
      message: z.looseObject({ value: z.string().optional() }).optional(),
    })
    .optional(),
  code: z.string().optional(),
  message: z.union([z.string(), z.looseObject({ value: z.string().optional() })]).optional(),
});

/** JSON or XML, as the service likes it; a HEAD request has only a header. */
async function readFailure(response: OutboundResponse): Promise<{ code: string; message: string }> {
  const text = (await readBytes(response)).toString('utf8').replace(/^\uFEFF/, '');
  const named = response.headers['x-ms-error-code']?.[0] ?? '';
  const { code, message } = await parse(text);
  const shown = code || named;
  const reason = (message ?? text).trim().split('\n')[0] ?? '';
  return {
    code: shown,
    message:
      [shown, reason.slice(0, 500)].filter((part) => part !== '').join(': ') || `status ${response.status}`,
  };
}

async function parse(text: string): Promise<{ code?: string | undefined; message?: string | undefined }> {
  try {
    if (/^\s*</.test(text)) {
      const xml = await readXml(text);
      return { code: textAt(xml, 'Code'), message: textAt(xml, 'Message') ?? textAt(xml, 'Detail') };
    }
    const read = JsonFailure.parse(JSON.parse(text));
    const inner = read.error ?? read['odata.error'] ?? read;
    const { message } = inner;
    const words = typeof message === 'string' ? message : message?.value;
    return { code: inner.code, message: typeof words === 'string' ? words : undefined };
  } catch {
    return {};
  }
}

const maxBytes = 256 * 1_048_576;

export async function readBytes(response: OutboundResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new TaskFailed('The answer is larger than 256 MB.', { retry: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const readText = async (response: OutboundResponse): Promise<string> =>
  (await readBytes(response)).toString('utf8').replace(/^\uFEFF/, '');

export async function readJson<S extends z.ZodType>(
  response: OutboundResponse,
  schema: S,
): Promise<z.infer<S>> {
  return parseResponse(await readText(response), schema, response.url);
}

/** The value of a response; a response of another shape fails with the address and the field. */
export function parseResponse<S extends z.ZodType>(text: string, schema: S, from: string): z.infer<S> {
  const host = URL.canParse(from) ? new URL(from).host : from;
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw new TaskFailed(
      `The response of ${host} is not JSON: "${text.trim().slice(0, 200)}". Check the endpoint and proxies on the way.`,
      { cause: error },
    );
  }
  return checkShape(value, schema, host);
}

/** A value of Azure as the schema has it; anything else fails with the name of the field. */
export function checkShape<S extends z.ZodType>(value: unknown, schema: S, host: string): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'the whole response';
  throw new TaskFailed(
    `The response of ${host} has an unexpected shape: ${field}: ${issue?.message ?? 'invalid value'}. Check the endpoint and the API version.`,
    { cause: error },
  );
}
