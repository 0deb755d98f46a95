import { setTimeout as delay } from 'node:timers/promises';
import type { OutboundProxy, OutboundRequest, OutboundResponse, TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import type { RequestOptions } from './requestOptions.ts';

export type SendContext = Pick<TaskContext, 'fetch' | 'signal' | 'log' | 'masker'>;

export interface ServiceRequest {
  /** The name of the service, for messages. */
  readonly service: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A map or list is sent as JSON, form fields as a form. */
  readonly body?: unknown;
  readonly options?: RequestOptions;
  /** Values that must not appear in a log: tokens and keys. The address counts as one by itself. */
  readonly secrets?: readonly (string | undefined)[];
  /** The statuses that count as success; 200 to 299 when absent. */
  readonly accepts?: (status: number) => boolean;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

const maxTries = 3;
const longestWaitMs = 60_000;

/**
 * Sends one request to a service. A service that limits requests (429) is asked again when it says how long to wait.
 * Messages name the service and its host only, because the rest of a webhook's address is its password.
 */
export async function sendRequest(context: SendContext, request: ServiceRequest): Promise<ServiceResponse> {
  coverSecrets(context, request);
  for (let tries = 1; ; tries++) {
    const response = await sendOnce(context, request);
    const waitMs = response.status === 429 ? retryAfterMs(response) : undefined;
    if (waitMs === undefined || waitMs > longestWaitMs || tries >= maxTries) {
      const accepts = request.accepts ?? isSuccess;
      if (accepts(response.status)) return response;
      throw refusal(context, request, response, waitMs);
    }
    await context.log('WARN', `${nameOf(request)} limits requests; trying again in ${waitMs / 1000} s.`);
    await delay(waitMs, undefined, { signal: context.signal });
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

async function sendOnce(context: SendContext, request: ServiceRequest): Promise<ServiceResponse> {
  const { options } = request;
  try {
    const response = await context.fetch(toOutbound(context, request));
    const text = await readText(response, options?.maxContentLength ?? 10_485_760, options?.defaultCharset);
    return { status: response.status, headers: response.headers, text };
  } catch (error) {
    if (context.signal.aborted) throw error;
    const message = `${nameOf(request)} could not be reached: ${messageOf(error)}`;
    const retry = !(error instanceof TaskFailed) || error.retry;
    throw new TaskFailed(context.masker.mask(message), { retry });
  }
}

function toOutbound(context: SendContext, request: ServiceRequest): OutboundRequest {
  const { url, method = 'POST', headers = {}, options } = request;
  const { body, contentType } = toBody(request.body);
  const proxy = proxyOf(options);
  const idleMs = Math.min(options?.readTimeout ?? 10_000, options?.readIdleTimeout ?? 300_000);
  return {
    url,
    method,
    headers: {
      ...(contentType && { 'content-type': contentType }),
      ...lowerCased(headers),
      ...lowerCased(options?.headers),
    },
    // A timeout of zero means none for the client of the product, and the longest for the user.
    ...(idleMs > 0 && { readIdleTimeoutMs: idleMs }),
    ...(options?.connectTimeout && { connectTimeoutMs: options.connectTimeout }),
    ...(body !== undefined && { body }),
    ...(proxy && { proxy }),
    signal: context.signal,
  };
}

function toBody(body: unknown): { body?: string | Uint8Array; contentType?: string } {
  if (body === undefined) return {};
  if (body instanceof URLSearchParams)
    return { body: body.toString(), contentType: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (body instanceof Uint8Array) return { body, contentType: 'application/octet-stream' };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { body: text, contentType: 'application/json;charset=UTF-8' };
}

const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function proxyOf(options: RequestOptions): OutboundProxy | undefined {
  const { type, address, port, username, password } = options?.proxy ?? {};
  if (address === undefined || type === 'DIRECT') return undefined;
  return {
    ...(type === 'SOCKS' && { type }),
    host: address,
    port: port ?? (type === 'SOCKS' ? 1080 : 8080),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

async function readText(response: OutboundResponse, maxBytes: number, charset = 'UTF-8'): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new TaskFailed(`The response is larger than ${maxBytes} bytes (\`maxContentLength\`).`, {
        retry: false,
      });
  }
  const named = /charset="?([^";\s]+)/i.exec(response.headers['content-type']?.[0] ?? '')?.[1];
  const content = Buffer.concat(chunks);
  try {
    return new TextDecoder(named ?? charset).decode(content);
  } catch {
    return content.toString('utf8');
  }
}

/** Seconds, which some services give with a fraction, or a date. */
function retryAfterMs({ headers }: ServiceResponse): number | undefined {
  const [written] = headers['retry-after'] ?? [];
  if (written === undefined) return undefined;
  const ms = Number.isNaN(Number(written)) ? Date.parse(written) - Date.now() : Number(written) * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms));
}

/** What a status means for whoever wrote the task; trying again helps only when the service is at fault. */
function refusal(
  context: SendContext,
  request: ServiceRequest,
  { status, text }: ServiceResponse,
  waitMs: number | undefined,
): TaskFailed {
  const said = text.trim().slice(0, 500);
  const wait = waitMs === undefined ? '' : ` It asks to wait ${waitMs / 1000} s.`;
  const advice =
    status === 401 || status === 403
      ? ' Check the credentials and their permissions.'
      : status === 404 || status === 410
        ? ' Check the address: the service does not know it.'
        : status === 429
          ? `${wait} Add a \`retry\` with a longer interval to the task.`
          : '';
  const message = `${nameOf(request)} responded with status ${status}${said === '' ? '.' : `: ${said}`}${advice}`;
  return new TaskFailed(context.masker.mask(message), { retry: status === 429 || status >= 500 });
}

function nameOf({ service, url }: ServiceRequest): string {
  return URL.canParse(url) ? `${service} (${new URL(url).host})` : service;
}

/** The path and query of an address can hold its password, in whole or in parts. */
function coverSecrets({ masker }: SendContext, { url, secrets = [] }: ServiceRequest): void {
  for (const secret of secrets) if (secret) masker.add(secret);
  if (!URL.canParse(url))
    throw new TaskFailed('The address of the service is not a valid URL.', { retry: false });
  const { pathname, search, username, password } = new URL(url);
  masker.add(url);
  if (pathname.length > 8) masker.add(pathname);
  for (const piece of pathname.split('/')) if (piece.length >= 16) masker.add(piece);
  for (const piece of [search.slice(1), username, password]) if (piece.length >= 8) masker.add(piece);
}
