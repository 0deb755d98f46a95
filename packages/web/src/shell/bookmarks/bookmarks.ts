import { useMemo } from 'react';
import { z } from 'zod';
import { readStored, useStored, writeStored } from '../../storage/storage.ts';

/** A page to come back to. `path` is its address with its filters, without the page number of a list. */
const Bookmark = z.object({ path: z.string(), label: z.string() });
export type Bookmark = z.infer<typeof Bookmark>;
const Bookmarks = z.array(Bookmark);

export function useBookmarks(): readonly Bookmark[] {
  const stored = useStored('bookmarks');
  return useMemo(() => parse(stored), [stored]);
}

/** A path that is marked already keeps its label. */
export function addBookmark(bookmark: Bookmark): void {
  const all = parse(readStored('bookmarks'));
  if (!all.some(({ path }) => path === bookmark.path)) write([...all, bookmark]);
}

export function removeBookmark(path: string): void {
  write(parse(readStored('bookmarks')).filter((one) => one.path !== path));
}

export function renameBookmark(path: string, label: string): void {
  write(parse(readStored('bookmarks')).map((one) => (one.path === path ? { path, label } : one)));
}

/** The address without what belongs to this visit only. */
export function bookmarkPath({ pathname, searchStr }: { pathname: string; searchStr: string }): string {
  const query = new URLSearchParams(searchStr);
  query.delete('page');
  query.delete('showDocId');
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

function write(all: readonly Bookmark[]): void {
  writeStored('bookmarks', all.length > 0 ? JSON.stringify(all) : undefined);
}

function parse(stored: string | undefined): readonly Bookmark[] {
  if (stored === undefined) return [];
  try {
    return Bookmarks.parse(JSON.parse(stored));
  } catch {
    // Written by something else: an unreadable list is no list.
    return [];
  }
}
