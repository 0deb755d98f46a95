import { createHash, createHmac } from 'node:crypto';
import { type OutboundRequest, TaskFailed } from '@millrace/plugin-kit';

/** An access key of Huawei Cloud. Temporary ones have a security token. */
export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly securityToken?: string | undefined;
}

const algorithm = 'SDK-HMAC-SHA256';

/** The headers that sign a request as API Gateway of Huawei Cloud checks it. */
export function signHeaders(
  request: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'body'>,
  keys: Keys,
  now: Date,
): Record<string, string> {
  const { url, method = 'GET', headers = {}, body = '' } = request;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TaskFailed('A stream cannot be signed.', { retry: false });
  const address = new URL(url);
  const date = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const added = {
    'x-sdk-date': date,
    ...(keys.securityToken !== undefined && { 'x-security-token': keys.securityToken }),
  };
  const signed = Object.entries({ ...headers, ...added, host: address.host })
    .map(([name, value]) => [name.toLowerCase(), String(value).trim()] as const)
    .filter(([name]) => isSigned(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    canonicalPath(address.pathname),
    canonicalQuery(address.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const signature = createHmac('sha256', keys.secretAccessKey)
    .update(`${algorithm}\n${date}\n${hash(canonical)}`)
    .digest('hex');
  return {
    ...added,
    authorization: `${algorithm} Access=${keys.accessKeyId}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Proxies may change other headers. */
const isSigned = (name: string): boolean =>
  name === 'host' || name === 'content-type' || name.startsWith('x-');

const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Percent-encodes all but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function canonicalPath(path: string): string {
  const encoded = path
    .split('/')
    .map((step) => encode(decodeURIComponent(step)))
    .join('/');
  return encoded.endsWith('/') ? encoded : `${encoded}/`;
}

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
