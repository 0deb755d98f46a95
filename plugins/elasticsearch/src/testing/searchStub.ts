import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Stored {
  source: Record<string, unknown>;
  version: number;
}

export interface SearchStub {
  readonly url: string;
  readonly requests: string[];
  readonly documents: Map<string, Stored>;
  /** Searches that were opened for scrolling and not closed. */
  readonly open: Set<string>;
  /** Whether scrolling repeats the documents without end. */
  isEndless: boolean;
}

/** A fake server that stores documents and validates requests like Elasticsearch, as far as tests need. */
export async function aSearchStub(login: string): Promise<SearchStub> {
  const documents = new Map<string, Stored>();
  const open = new Set<string>();
  const requests: string[] = [];
  const pages = new Map<string, number>();
  const pageSize = 2;
  const stub = { url: '', requests, documents, open, isEndless: false };
  const hits = (index: string, from = 0) => {
    const all = [...documents].filter(([key]) => index === '' || key.startsWith(`${index}/`));
    const page = all.slice(from, from + pageSize);
    const list = page.map(([key, { source }]) => ({ _id: key.slice(key.indexOf('/') + 1), _source: source }));
    return { total: { value: all.length }, hits: list };
  };
  const put = (key: string, source: Record<string, unknown>) => {
    const version = (documents.get(key)?.version ?? 0) + 1;
    documents.set(key, { source, version });
    return {
      _id: key.slice(key.indexOf('/') + 1),
      _version: version,
      result: version === 1 ? 'created' : 'updated',
    };
  };
  const bulk = (text: string) => {
    const lines = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const items = [];
    for (let at = 0; at < lines.length; at++) {
      const [operation, about] = Object.entries(lines[at])[0] as [string, { _index: string; _id?: string }];
      const id = about._id ?? `auto${documents.size}`;
      if (operation === 'delete') {
        documents.delete(`${about._index}/${id}`);
        items.push({ delete: { _id: id, status: 200 } });
        continue;
      }
      const source = lines[++at];
      const error = source.bad ? { type: 'mapper_parsing_exception', reason: 'failed to parse' } : undefined;
      if (!error) put(`${about._index}/${id}`, source);
      items.push({ [operation]: { _id: id, ...(error && { error }) } });
    }
    return { errors: items.some((item) => Object.values(item).some((each) => 'error' in each)), items };
  };
  const route = (method: string, path: string, search: URLSearchParams, text: string): [number, unknown] => {
    const [first = '', second, id = ''] = path.split('/').slice(1).map(decodeURIComponent);
    if (path === '/_bulk') return [200, bulk(text)];
    if (path === '/_search/scroll') {
      const { scroll_id: given } = JSON.parse(text);
      if (method === 'DELETE') {
        open.delete(given[0]);
        return [200, {}];
      }
      const from = stub.isEndless ? 0 : (pages.get(given) ?? 0) + pageSize;
      pages.set(given, from);
      return [200, { _scroll_id: given, hits: hits('orders', from) }];
    }
    if (second === '_search' || first === '_search') {
      if (text.includes('"bad_query"')) {
        const cause = { type: 'parsing_exception', reason: 'unknown query [bad_query]' };
        return [400, { error: { root_cause: [cause] } }];
      }
      if (!search.has('scroll')) return [200, { hits: hits(first === '_search' ? '' : first) }];
      open.add('s1');
      pages.set('s1', 0);
      return [200, { _scroll_id: 's1', hits: hits(first) }];
    }
    const key = `${first}/${id}`;
    if (second === '_doc' && method === 'GET')
      return documents.has(key) ? [200, { _source: documents.get(key)?.source }] : [404, { found: false }];
    if (second === '_doc' && method === 'DELETE')
      return documents.delete(key)
        ? [200, { _id: id, result: 'deleted' }]
        : [404, { _id: id, result: 'not_found' }];
    if (second === '_create' && documents.has(key)) return [409, { error: 'version conflict' }];
    if (second === '_update')
      return [200, put(key, { ...documents.get(key)?.source, ...JSON.parse(text).doc })];
    if (second === '_doc' || second === '_create')
      return [200, put(id === '' ? `${first}/auto` : key, JSON.parse(text))];
    if (path === '/_query')
      return [
        200,
        {
          columns: [{ name: 'a' }, { name: 'b' }],
          values: text.includes('"columnar":true')
            ? [
                [1, 2],
                ['x', 'y'],
              ]
            : [
                [1, 'x'],
                [2, 'y'],
              ],
        },
      ];
    if (path === '/_query/async') return [200, { id: 'q1', is_running: true }];
    if (path === '/_query/async/q1') return [200, { columns: [{ name: 'a' }], values: [[1]] }];
    if (path === '/_plugins/_ppl')
      return search.get('format') === 'csv'
        ? [200, 'a,b']
        : [200, { schema: [{ name: 'a' }], datarows: [[1]], total: 1 }];
    return [200, { path, parameters: Object.fromEntries(search), body: text }];
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      requests.push(`${request.method} ${url.pathname}${url.search}`);
      const isKnown = request.headers.authorization === `Basic ${Buffer.from(login).toString('base64')}`;
      const [status, body] = isKnown
        ? route(request.method ?? 'GET', url.pathname, url.searchParams, Buffer.concat(chunks).toString())
        : [
            401,
            { error: { root_cause: [{ type: 'security_exception', reason: 'unable to authenticate' }] } },
          ];
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // `as`: a server that listens on a port has such an address.
  return Object.assign(stub, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
