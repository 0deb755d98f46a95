import type { Google } from '@millrace/plugin-gcp/google';
import { textAt } from '@millrace/plugin-gcp/google';

export const driveUrl = 'https://www.googleapis.com/drive/v3/files';

/** A text in a query of Drive. */
export const quote = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const folderType = 'application/vnd.google-apps.folder';
/** A query has at most this many folders, so that it stays short enough. */
const foldersAtOnce = 20;

/** A folder and all folders below it. */
export async function foldersBelow(google: Google, folderId: string): Promise<readonly string[]> {
  const found = new Set([folderId]);
  for (let open = [folderId]; open.length > 0; ) {
    const next: string[] = [];
    for (let from = 0; from < open.length; from += foldersAtOnce) {
      const query = {
        q: `${inFolders(open.slice(from, from + foldersAtOnce))} and mimeType = ${quote(folderType)} and trashed = false`,
        fields: 'nextPageToken,files(id)',
        pageSize: 1000,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
      };
      for await (const each of google.list({ url: driveUrl, query }, 'files')) {
        const id = textAt(each, 'id') ?? '';
        // A folder may be in several others, and shortcuts may form a circle.
        if (!found.has(id)) next.push(id);
        found.add(id);
      }
    }
    open = next;
  }
  return [...found];
}

export const inFolders = (ids: readonly string[]): string =>
  `(${ids.map((id) => `${quote(id)} in parents`).join(' or ')})`;

/** Queries for the folders in batches of `foldersAtOnce`. */
export function* folderQueries(ids: readonly string[]): Generator<string> {
  for (let from = 0; from < ids.length; from += foldersAtOnce)
    yield inFolders(ids.slice(from, from + foldersAtOnce));
}
