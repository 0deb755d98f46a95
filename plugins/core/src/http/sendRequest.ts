import type { OutboundProxy, OutboundRequest, OutboundResponse, TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import { answerDigest } from './digest.ts';
import { type BodyContext, toBody } from './httpBody.ts';
import type { HttpInput } from './httpProperties.ts';

/** The part of a task's world that a request needs. */
export type RequestContext = Pick<TaskContext, 'fetch' | 'signal' | 'log'> & BodyContext;

/** Sends what the properties say. A status of 400 and above is a failure unless it is allowed. */
export async function sendRequest(context: RequestContext, input: HttpInput): Promise<OutboundResponse> {
  const { options } = input;
  const { body, contentType } = toBody(context, input);
  const headers = toHeaders(input, contentType);
  await logDebug(context, input, 'REQUEST_HEADERS', Object.keys(headers).join(', '));
  if (typeof body === 'string') await logDebug(context, input, 'REQUEST_BODY', body);
  const proxy = proxyOf(input);
  const connectTimeoutMs = options?.timeout?.connectTimeout ?? toNumber(options?.connectTimeout);
  const method = input.method.toUpperCase();
  const request = {
    url: input.uri.trim().replaceAll(' ', '%20'),
    method,
    headers,
    signal: context.signal,
    followRedirects: options?.followRedirects ?? true,
    trustAllCertificates:
      options?.ssl?.insecureTrustAllCertificates ?? input.sslOptions?.insecureTrustAllCertificates ?? false,
    readIdleTimeoutMs: options?.timeout?.readIdleTimeout ?? toNumber(options?.readIdleTimeout) ?? 5 * 60_000,
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    ...(body !== undefined && { body }),
    ...(proxy && { proxy }),
  };
  const response = await answerChallenge(context, input, request, await context.fetch(request));
  await logDebug(context, input, 'RESPONSE_HEADERS', JSON.stringify(response.headers));
  const isAllowed = options?.allowFailed || input.allowFailed;
  if (response.status >= 400 && !isAllowed) await refuse(response, input);
  return response;
}

/** With a Digest login the first answer only says what to log in with. */
async function answerChallenge(
  context: RequestContext,
  { options }: HttpInput,
  request: OutboundRequest,
  response: OutboundResponse,
): Promise<OutboundResponse> {
  const { type, username = '', password = '' } = options?.auth ?? {};
  if (type !== 'DIGEST' || response.status !== 401) return response;
  const isStream = request.body !== undefined && typeof request.body !== 'string';
  const challenges = response.headers['www-authenticate'] ?? [];
  const sent = { method: request.method ?? 'GET', url: response.url };
  const authorization = answerDigest(challenges, { username, password }, sent);
  if (authorization === undefined || isStream) return response;
  await readBody(response, 0, 'cut');
  return context.fetch({ ...request, url: response.url, headers: { ...request.headers, authorization } });
}

async function refuse(response: OutboundResponse, { method, uri }: HttpInput): Promise<never> {
  const start = await readBody(response, 2000, 'cut').catch(() => Buffer.alloc(0));
  const said = start.length > 0 ? `: ${start.toString('utf8')}` : '';
  throw new TaskFailed(
    `${method.toUpperCase()} ${withoutLogin(uri)} answered with status ${response.status}${said}`,
  );
}

/** An address for messages, without a password somebody wrote into it. */
export const withoutLogin = (uri: string): string => uri.replace(/\/\/[^/@\s]*@/, '//');

/** The whole body, up to a limit: beyond it the body is cut, or the task fails. */
export async function readBody(
  response: OutboundResponse,
  maxBytes: number,
  beyond: 'cut' | 'fail',
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= maxBytes) continue;
    if (beyond === 'cut') break;
    throw new TaskFailed(
      `The answer of ${withoutLogin(response.url)} is larger than ${maxBytes} bytes; use core.http.Download for large answers.`,
      { retry: false },
    );
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function toHeaders(
  { headers, options }: HttpInput,
  contentType: string | undefined,
): Record<string, string | string[]> {
  const written = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.map(String) : String(value ?? ''),
  ]);
  const login = loginOf(options);
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(login !== undefined && { authorization: login }),
    ...Object.fromEntries(written),
  };
}

function loginOf(options: HttpInput['options']): string | undefined {
  const { auth, basicAuthUser, basicAuthPassword } = options ?? {};
  if (auth?.type === 'BEARER') return `Bearer ${auth.token ?? ''}`;
  if (auth?.type === 'DIGEST') return undefined;
  const user = auth?.username ?? basicAuthUser;
  if (user === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${auth?.password ?? basicAuthPassword ?? ''}`).toString('base64')}`;
}

function proxyOf({ options }: HttpInput): OutboundProxy | undefined {
  const host = options?.proxy?.address ?? toText(options?.proxyAddress);
  if (host === undefined || options?.proxy?.type === 'DIRECT') return undefined;
  const isSocks = (options?.proxy?.type ?? toText(options?.proxyType)?.toUpperCase()) === 'SOCKS';
  const username = options?.proxy?.username ?? toText(options?.proxyUsername);
  const password = options?.proxy?.password ?? toText(options?.proxyPassword);
  return {
    host,
    port: options?.proxy?.port ?? toNumber(options?.proxyPort) ?? (isSocks ? 1080 : 8080),
    ...(isSocks && { type: 'SOCKS' as const }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

type LogChoice = NonNullable<NonNullable<HttpInput['options']>['logs']>[number];

export async function logDebug(
  context: RequestContext,
  { options }: HttpInput,
  what: LogChoice,
  text: string,
): Promise<void> {
  if (options?.logs?.includes(what)) await context.log('DEBUG', `${what}: ${text}`);
}
