import type { OutboundProxy, OutboundRequest, OutboundResponse, TaskContext } from '@millrace/plugin-kit';
import { messageOf, retryAfterMs, sendWithinLimits, TaskFailed } from '@millrace/plugin-kit';
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

/**
 * Sends one request to a service. A throttled request (429) is retried when the service names a delay.
 * Messages name only the service and its host, because the rest of a webhook URL is a secret.
 */
export async function sendRequest(context: SendContext, request: ServiceRequest): Promise<ServiceResponse> {
  coverSecrets(context, request);
  const response = await sendWithinLimits(context, nameOf(request), () => sendOnce(context, request));
  const accepts = request.accepts ?? isSuccess;
  if (accepts(response.status)) return response;
  throw refusal(context, request, response);
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
    // Zero means no timeout for the outbound client, but the longest timeout for the user.
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

/** Explains a status to the task's author; a retry helps only after a 429 or a failure of the service. */
function refusal(context: SendContext, request: ServiceRequest, response: ServiceResponse): TaskFailed {
  const { status, text } = response;
  const waitMs = retryAfterMs(response);
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
