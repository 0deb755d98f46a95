import type { OutboundRequest, OutboundResponse, TaskContext } from '@millrace/plugin-kit';
import { authorizationOf, isAllowedStatus, outboundOptions, TaskFailed } from '@millrace/plugin-kit';
import { answerDigest } from './digest.ts';
import { type BodyContext, toBody } from './httpBody.ts';
import type { HttpInput } from './httpProperties.ts';

/** The part of a task's world that a request needs. */
export type RequestContext = Pick<TaskContext, 'fetch' | 'signal' | 'log'> & BodyContext;

/** Sends the request of the properties. A status of 400 or above is a failure unless it is allowed. */
export async function sendRequest(context: RequestContext, input: HttpInput): Promise<OutboundResponse> {
  const { options } = input;
  const { body, contentType } = toBody(context, input);
  const headers = toHeaders(input, contentType);
  await logDebug(context, input, 'REQUEST_HEADERS', Object.keys(headers).join(', '));
  if (typeof body === 'string') await logDebug(context, input, 'REQUEST_BODY', body);
  const method = input.method.toUpperCase();
  const request = {
    url: input.uri.trim().replaceAll(' ', '%20'),
    method,
    headers,
    signal: context.signal,
    ...outboundOptions(options),
    trustAllCertificates:
      options?.ssl?.insecureTrustAllCertificates ?? input.sslOptions?.insecureTrustAllCertificates ?? false,
    ...(body !== undefined && { body }),
  };
  const response = await answerChallenge(context, input, request, await context.fetch(request));
  await logDebug(context, input, 'RESPONSE_HEADERS', JSON.stringify(response.headers));
  if (!isAllowedStatus(response.status, options) && !input.allowFailed) await refuse(response, input);
  return response;
}

/** With Digest authentication the first response only carries the challenge. */
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

/** A URI for messages, without the credentials it may contain. */
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
  const login = authorizationOf(options);
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(login !== undefined && { authorization: login }),
    ...Object.fromEntries(written),
  };
}

type LogChoice = NonNullable<NonNullable<HttpInput['options']>['logs']>[number];

export async function logDebug(
  context: RequestContext,
  { options }: HttpInput,
  what: LogChoice,
  text: string,
): Promise<void> {
  if (options?.logs?.includes(what)) await context.log('DEBUG', `${what}: ${text}`);
}
