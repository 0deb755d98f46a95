import type { z } from 'zod';
import type { OutboundProxy, OutboundRequest } from '../context.ts';
import { choice, deprecated, duration, flag, integer, listOf, mapOf, part, text } from '../dynamic.ts';

const proxy = () =>
  part({
    type: choice(['HTTP', 'DIRECT', 'SOCKS'])
      .default('HTTP')
      .describe('The kind of proxy; SOCKS is version 5.'),
    address: text().optional().describe('The host of the proxy.'),
    port: integer({ min: 1, max: 65_535 }).optional().describe('Its port.'),
    username: text().optional().describe('The user.'),
    password: text().optional().describe('The password.'),
  });

const old = (schema: z.ZodType) =>
  deprecated(schema.optional(), 'use the property of the same meaning in `options`.');

const optionProperties = () => ({
  timeout: part({
    connectTimeout: duration().optional().describe('How long to wait for a connection.'),
    readIdleTimeout: duration()
      .prefault('PT5M')
      .describe('How long to wait for the next part of the answer.'),
  })
    .optional()
    .describe('How long to wait.'),
  proxy: proxy().optional().describe('The proxy to go through.'),
  auth: part({
    type: choice(['BASIC', 'BEARER', 'DIGEST']).describe('The kind of login.'),
    username: text().optional().describe('The user, for BASIC and DIGEST.'),
    password: text().optional().describe('The password, for BASIC and DIGEST.'),
    token: text().optional().describe('The token, for BEARER.'),
  })
    .optional()
    .describe('How to log in.'),
  ssl: part({
    insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.'),
  })
    .optional()
    .describe('How to check certificates.'),
  followRedirects: flag().default(true).describe('Go where the answer points.'),
  allowFailed: flag().default(false).describe('A status of 400 and above does not fail the task.'),
  allowedResponseCodes: listOf(integer()).optional().describe('More statuses that do not fail the task.'),
  defaultCharset: text().default('UTF-8').describe('The encoding of an answer that names none.'),
  maxContentLength: integer({ min: 1 }).optional().describe('The largest answer that is read, in bytes.'),
  logs: listOf(choice(['REQUEST_HEADERS', 'REQUEST_BODY', 'RESPONSE_HEADERS', 'RESPONSE_BODY']))
    .optional()
    .describe('What is written to the log, at DEBUG.'),
  connectTimeout: old(duration()),
  readTimeout: old(duration()),
  readIdleTimeout: old(duration()),
  connectionPoolIdleTimeout: old(duration()),
  basicAuthUser: old(text()),
  basicAuthPassword: old(text()),
  proxyType: old(text()),
  proxyAddress: old(text()),
  proxyPort: old(integer()),
  proxyUsername: old(text()),
  proxyPassword: old(text()),
  logLevel: old(text()),
});

const makeHttpOptions = () => part(optionProperties());

let made: ReturnType<typeof makeHttpOptions> | undefined;

/** The `options` of every task that speaks HTTP: timeouts, login, proxy, certificates, redirects. */
export const httpOptions = (): ReturnType<typeof makeHttpOptions> => {
  made ??= makeHttpOptions();
  return made;
};

/** The same for services whose requests may carry further headers. */
export const httpOptionsWithHeaders = () =>
  part({
    ...optionProperties(),
    headers: mapOf(text()).optional().describe('More headers of the request.'),
  });

export type HttpOptions = z.infer<ReturnType<typeof httpOptions>>;

/** The connection options in the form that the outbound client takes. */
export function outboundOptions(
  options: HttpOptions | undefined,
): Pick<
  OutboundRequest,
  'followRedirects' | 'trustAllCertificates' | 'readIdleTimeoutMs' | 'connectTimeoutMs' | 'proxy'
> {
  const connectTimeoutMs = options?.timeout?.connectTimeout ?? toNumber(options?.connectTimeout);
  const proxy = proxyOf(options);
  return {
    followRedirects: options?.followRedirects ?? true,
    trustAllCertificates: options?.ssl?.insecureTrustAllCertificates ?? false,
    readIdleTimeoutMs: options?.timeout?.readIdleTimeout ?? toNumber(options?.readIdleTimeout) ?? 5 * 60_000,
    ...(connectTimeoutMs !== undefined && { connectTimeoutMs }),
    ...(proxy && { proxy }),
  };
}

/** The header that logs in, for BASIC and BEARER. */
export function authorizationOf(options: HttpOptions | undefined): string | undefined {
  const { auth, basicAuthUser, basicAuthPassword } = options ?? {};
  if (auth?.type === 'BEARER') return `Bearer ${auth.token ?? ''}`;
  if (auth?.type === 'DIGEST') return undefined;
  const user = auth?.username ?? basicAuthUser;
  if (user === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${auth?.password ?? basicAuthPassword ?? ''}`).toString('base64')}`;
}

/** Whether a status counts as success: below 400, or allowed by the options. */
export const isAllowedStatus = (status: number, options: HttpOptions | undefined): boolean =>
  status < 400 ||
  (options?.allowFailed ?? false) ||
  (options?.allowedResponseCodes?.includes(status) ?? false);

function proxyOf(options: HttpOptions | undefined): OutboundProxy | undefined {
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
