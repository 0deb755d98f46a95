import { createHmac } from 'node:crypto';

export const hmac = (key: string, text: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');

const standard = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
];

interface Signed {
  readonly account: string;
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with this prefix are a part of the signature. */
  readonly prefix?: string;
}

/** The header `Authorization` of Blob Storage, Data Lake and Batch. */
export function signSharedKey({ account, key, method, url, headers, prefix = 'x-ms-' }: Signed): string {
  const { pathname, searchParams } = new URL(url);
  const lines = standard.map((name) => {
    const value = headers[name] ?? '';
    return name === 'content-length' && value === '0' ? '' : value;
  });
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`);
  const names = [...new Set([...searchParams.keys()].map((name) => name.toLowerCase()))].sort();
  const query = names.map((name) => {
    const values = [...searchParams]
      .filter(([each]) => each.toLowerCase() === name)
      .map(([, value]) => value);
    return `${name}:${values.sort().join(',')}`;
  });
  const text = [method, ...lines, ...own, [`/${account}${pathname}`, ...query].join('\n')].join('\n');
  return `SharedKey ${account}:${hmac(key, text)}`;
}

/** The header `Authorization` of Table Storage, which signs less. */
export function signTable({ account, key, method, url, headers }: Signed): string {
  const { pathname, searchParams } = new URL(url);
  const comp = searchParams.get('comp');
  const resource = `/${account}${pathname}${comp === null ? '' : `?comp=${comp}`}`;
  const text = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    headers['x-ms-date'] ?? '',
    resource,
  ].join('\n');
  return `SharedKey ${account}:${hmac(key, text)}`;
}
