import { namespaceFiles } from '@millrace/contract';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';

const keyOf = (namespace: string) => ['namespaceFiles', currentTenant(), namespace] as const;

/** One level of a folder, folders first, each by name. */
export const folderQuery = (namespace: string, path: string) =>
  queryOptions({
    queryKey: [...keyOf(namespace), 'folder', path],
    queryFn: async ({ signal }) => {
      const entries = await call(namespaceFiles.listNamespaceFolder, {
        params: { namespace },
        query: { path },
        signal,
      });
      return entries.toSorted((a, b) => a.type.localeCompare(b.type) || a.fileName.localeCompare(b.fileName));
    },
  });

/** The text of a file; undefined when it is no text. */
export const fileQuery = (namespace: string, path: string) =>
  queryOptions({
    queryKey: [...keyOf(namespace), 'file', path],
    queryFn: async ({ signal }) => {
      const args = { params: { namespace }, query: { path }, signal, failures: 'handled' } as const;
      const file = (await call(namespaceFiles.readNamespaceFile, args)) as unknown as Blob; // What `call` gives for files.
      const text = await file.text();
      return { text: text.includes('\0') ? undefined : text };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const fileSearchQuery = (namespace: string, q: string) =>
  queryOptions({
    queryKey: [...keyOf(namespace), 'search', q],
    queryFn: ({ signal }) =>
      call(namespaceFiles.searchNamespaceFiles, { params: { namespace }, query: { q }, signal }),
  });

/** The folders that were listed so far, also empty ones. */
export const listedFolders = (client: QueryClient, namespace: string): string[] =>
  client
    .getQueriesData<readonly { fileName: string; type: string }[]>({
      queryKey: [...keyOf(namespace), 'folder'],
    })
    .flatMap(([key, entries = []]) =>
      entries
        .filter(({ type }) => type === 'Directory')
        .map(({ fileName }) => joinPath(String(key.at(-1)), fileName)),
    );

export const joinPath = (folder: string, name: string): string => `${folder.replace(/\/$/, '')}/${name}`;
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The server unpacks an archive that is called one; under another name its bytes are stored. */
export function writeFile(
  namespace: string,
  path: string,
  content: Blob,
  failures: 'reported' | 'handled' = 'reported',
  name: string = nameOf(path),
): Promise<undefined> {
  const body = new FormData();
  body.append('fileContent', content, name);
  return call(namespaceFiles.writeNamespaceFile, { params: { namespace }, query: { path }, body, failures });
}

type Part = 'folder' | 'search' | 'file';

/** Changes something about the files of a namespace; what shows these parts of them reads them again. */
export function useFileAction(namespace: string, parts: readonly Part[] = ['folder', 'search', 'file']) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () =>
      Promise.all(parts.map((part) => client.invalidateQueries({ queryKey: [...keyOf(namespace), part] }))),
  });
}

/** The texts of files were replaced. */
export const readTextsAgain = (client: QueryClient, namespace: string): Promise<void> =>
  client.invalidateQueries({ queryKey: [...keyOf(namespace), 'file'] });
