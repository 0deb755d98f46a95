import { type JsonMap, TaskFailed } from '@millrace/plugin-kit';
import type { RestClient, RestRequest, RestResponse } from './client.ts';
import { valueAt } from './outputs.ts';

/** How a service hands out a long list. */
export type Paging =
  /** The response names the next page, which a query parameter or a body field then requests. */
  | {
      readonly kind: 'cursor';
      readonly parameter: string;
      readonly next: string;
      readonly in?: 'query' | 'body';
    }
  /** The header `Link` has the address of the next page. */
  | { readonly kind: 'link' }
  /** The response has the address of the next page. */
  | { readonly kind: 'nextUrl'; readonly at: string }
  /** Pages have numbers, beginning at 1. A page that is not full is the last. */
  | {
      readonly kind: 'page';
      readonly parameter: string;
      readonly sizeParameter: string;
      readonly size: number;
    }
  /** Rows are counted from 0. A page that is not full is the last. */
  | {
      readonly kind: 'offset';
      readonly parameter: string;
      readonly sizeParameter: string;
      readonly size: number;
    };

export interface RowsRequest {
  readonly request: RestRequest;
  /** Where the rows are in the response: a path, or how they are read. */
  readonly at: string | ((response: RestResponse) => readonly unknown[]);
  readonly paging?: Paging | undefined;
  /** The most rows; all when absent. */
  readonly limit?: number | undefined;
  /** Called with each response, for totals. */
  readonly onPage?: (response: RestResponse) => void;
}

/** The rows of a list, page by page: only one page is in memory. */
export async function* readRows(client: RestClient, options: RowsRequest): AsyncGenerator<JsonMap> {
  const { at, paging, limit = Number.POSITIVE_INFINITY, onPage } = options;
  let request: RestRequest | undefined = firstPage(options.request, paging);
  let count = 0;
  while (request && count < limit) {
    const response: RestResponse = await client.send(request);
    onPage?.(response);
    const rows = typeof at === 'string' ? valueAt(response.body, at) : at(response);
    const list: readonly unknown[] = Array.isArray(rows) ? rows : [];
    for (const row of list) {
      if (count >= limit) return;
      count++;
      // `as`: a row of anything else is kept as it is.
      yield row as JsonMap;
    }
    request = nextPage(request, response, list.length, paging);
  }
}

function firstPage(request: RestRequest, paging: Paging | undefined): RestRequest {
  if (paging?.kind !== 'page' && paging?.kind !== 'offset') return request;
  const { parameter, sizeParameter, size } = paging;
  return withQuery(request, {
    [parameter]: paging.kind === 'page' ? 1 : 0,
    [sizeParameter]: request.query?.[sizeParameter] ?? size,
  });
}

function nextPage(
  request: RestRequest,
  { body, headers }: RestResponse,
  rows: number,
  paging: Paging | undefined,
): RestRequest | undefined {
  if (paging === undefined) return undefined;
  switch (paging.kind) {
    case 'cursor': {
      const next = valueAt(body, paging.next);
      if (next === undefined || next === null || next === '') return undefined;
      if (
        next ===
        (paging.in === 'body' ? valueAt(request.body, paging.parameter) : request.query?.[paging.parameter])
      )
        throw new TaskFailed('The service returns the same page again and again.', { retry: false });
      return paging.in === 'body'
        ? { ...request, body: { ...(request.body as JsonMap), [paging.parameter]: next } } // the body is a map
        : withQuery(request, { [paging.parameter]: next });
    }
    case 'link':
      return toAddress(request, linkTo('next', headers.link ?? []));
    case 'nextUrl':
      return toAddress(request, valueAt(body, paging.at));
    default: {
      const { parameter, sizeParameter } = paging;
      const size = Number(request.query?.[sizeParameter]);
      if (rows < size || rows === 0) return undefined;
      return withQuery(request, {
        [parameter]: Number(request.query?.[parameter]) + (paging.kind === 'page' ? 1 : rows),
      });
    }
  }
}

const withQuery = (request: RestRequest, query: JsonMap): RestRequest => ({
  ...request,
  query: { ...request.query, ...query },
});

function toAddress(request: RestRequest, address: unknown): RestRequest | undefined {
  if (typeof address !== 'string' || address === '') return undefined;
  const { query: _, ...rest } = request;
  return { ...rest, path: address };
}

function linkTo(relation: string, headers: readonly string[]): string | undefined {
  for (const link of headers.join(',').split(/,(?=\s*<)/)) {
    const [, address, parameters = ''] = /<([^>]*)>(.*)/.exec(link) ?? [];
    if (new RegExp(`rel="?${relation}"?`).test(parameters)) return address;
  }
  return undefined;
}
