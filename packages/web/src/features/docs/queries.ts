import { provider } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError } from '../../api/ApiError.ts';
import { call, callForResponse, urlOf } from '../../api/call.ts';

/** A page of the documentation as it is shown. */
export interface DocPage {
  /** `build/inputs`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  readonly isIndex: boolean;
  /** Markdown. */
  readonly content: string;
}

export type DocTree = Readonly<Record<string, provider.DocMetadata>>;

const keepFor = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;

export const docPageQuery = (version: string, path: string) =>
  queryOptions({
    queryKey: ['docs', version, 'page', path],
    queryFn: async ({ signal }) => {
      const options = { signal, failures: 'handled' } as const;
      const answer =
        path === ''
          ? await callForResponse(provider.getDocHome, { params: { version }, ...options })
          : await callForResponse(provider.getDocPage, { params: { path, version }, ...options });
      return toPage(answer, path);
    },
    ...keepFor,
  });

/** The page about a screen, or null when there is none. */
export const docOfScreenQuery = (version: string, id: string) =>
  queryOptions({
    queryKey: ['docs', version, 'screen', id],
    queryFn: async ({ signal }) => {
      try {
        const params = { version, id };
        return toPage(
          await callForResponse(provider.getDocOfScreen, { params, signal, failures: 'handled' }),
          id,
        );
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    ...keepFor,
  });

/** The pages below a page, by path, in reading order; all of them without a path. */
export const docChildrenQuery = (version: string, path = '') =>
  queryOptions({
    queryKey: ['docs', version, 'children', path],
    queryFn: ({ signal }): Promise<DocTree> =>
      path === ''
        ? call(provider.listDocs, { params: { version }, signal, failures: 'handled' })
        : call(provider.listDocChildren, { params: { path, version }, signal, failures: 'handled' }),
    ...keepFor,
  });

export const docSearchQuery = (version: string, q: string) =>
  queryOptions({
    queryKey: ['docs', version, 'search', q],
    queryFn: ({ signal }) =>
      call(provider.searchDocs, { params: { version }, query: { q }, signal, failures: 'handled' }),
    enabled: q.trim() !== '',
    ...keepFor,
  });

/** The metadata of a page travels in a header of its answer. */
function toPage({ body, headers }: { body: string; headers: Headers }, asked: string): DocPage {
  const { title, isIndex, path } = readMetadata(headers.get(provider.docMetadataHeader));
  return { path: path ?? asked, title: title ?? asked, isIndex: isIndex ?? false, content: body };
}

const Metadata = provider.DocMetadata.partial();

function readMetadata(header: string | null): z.infer<typeof Metadata> {
  try {
    return Metadata.parse(JSON.parse(header ?? '{}'));
  } catch {
    // Another host may send none, or none that we can read; the page itself is there.
    return {};
  }
}

/** The address of a file that belongs to the documentation of a version. */
export const resourceUrl = (version: string, file: string): string =>
  urlOf(provider.getDocResource, { params: { file, version } });
