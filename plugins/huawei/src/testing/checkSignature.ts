import { createHash, createHmac } from 'node:crypto';

const hex = (text: string) => createHash('sha256').update(text).digest('hex');

interface Arrived {
  readonly asks: string;
  readonly raw: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * Checks a request as API Gateway of Huawei Cloud documents it, from what arrived and the secret key. Returns what is
 * wrong.
 */
export function signatureProblem({ asks, raw, headers }: Arrived, secretOf: (accessKeyId: string) => string) {
  const written = String(headers.authorization);
  const [, access = '', names = '', signature] =
    /^SDK-HMAC-SHA256 Access=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(written) ?? [];
  if (signature === undefined) return `no signature: ${written}`;
  const [method = '', address = ''] = asks.split(' ');
  const url = new URL(address);
  const signed = names.split(';');
  for (const name of ['host', 'x-sdk-date']) if (!signed.includes(name)) return `${name} is not signed`;
  if (raw !== '' && !signed.includes('content-type')) return 'content-type is not signed';
  if (signed.toSorted().join(';') !== names) return 'the names of headers are not sorted';
  const headerOf = (name: string) => (name === 'host' ? url.host : String(headers[name]));
  const query = url.search
    .slice(1)
    .split('&')
    .map((pair) => pair.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`))
    .toSorted()
    .join('&');
  const canonical = [
    method,
    `${url.pathname}/`.replace(/\/\/$/, '/'),
    query,
    `${signed.map((name) => `${name}:${headerOf(name)}\n`).join('')}`,
    names,
    hex(raw),
  ].join('\n');
  const content = `SDK-HMAC-SHA256\n${headers['x-sdk-date']}\n${hex(canonical)}`;
  const expected = createHmac('sha256', secretOf(access)).update(content).digest('hex');
  return expected === signature ? undefined : `the signature does not match ${canonical}`;
}
