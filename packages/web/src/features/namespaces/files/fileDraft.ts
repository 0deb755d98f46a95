import { z } from 'zod';
import { currentTenant } from '../../../api/tenant.ts';
import { listStored, readStored, type StorageKey, writeStored } from '../../../storage/storage.ts';
import { tabId } from '../../../storage/uid.ts';

/*
 * The text of a namespace file that is being edited, kept in the browser until it is saved or discarded. Each open editor
 * keeps its text under its own key, so that two tabs with the same file never overwrite each other's text. The next
 * editor of the file takes a draft over; an editor that still holds the text keeps it again.
 */
const FileDraft = z.object({
  text: z.string(),
  /** The text of the file when the edit began. */
  base: z.string(),
  at: z.iso.datetime(),
  /** The browser tab that wrote it. */
  tab: z.string().optional(),
});
export type FileDraft = z.infer<typeof FileDraft>;

export interface StoredFileDraft extends FileDraft {
  readonly key: StorageKey;
}

const prefixOf = (namespace: string) => `draft:file:${currentTenant() ?? ''}:${namespace}:` as const;

export const fileDraftKey = (namespace: string, editor: string, path: string): StorageKey =>
  `${prefixOf(namespace)}${editor}:${path}`;

/** The paths of the files that have a draft. */
export const listDraftPaths = (namespace: string): string[] => [
  ...new Set(listStored(prefixOf(namespace)).map((key) => pathIn(key, namespace))),
];

/** The draft that an editor of the file starts with: one of this browser tab if there is one, otherwise the newest. */
export function findFileDraft(namespace: string, path: string): StoredFileDraft | undefined {
  const isOwn = (draft: FileDraft) => Number(draft.tab === tabId());
  return listStored(prefixOf(namespace))
    .filter((key) => pathIn(key, namespace) === path)
    .flatMap((key) => {
      const draft = readFileDraft(key);
      return draft ? [{ ...draft, key }] : [];
    })
    .sort((a, b) => isOwn(b) - isOwn(a) || b.at.localeCompare(a.at))[0];
}

export const writeFileDraft = (key: StorageKey, { text, base, at }: FileDraft): void =>
  writeStored(key, JSON.stringify({ text, base, at, tab: tabId() }));

export const dropFileDraft = (key: StorageKey): void => writeStored(key, undefined);

/** Earlier versions kept one draft per file, under its path without the name of an editor. */
const pathIn = (key: string, namespace: string): string =>
  key.slice(prefixOf(namespace).length).replace(/^[^/:]*:/, '');

function readFileDraft(key: StorageKey): FileDraft | undefined {
  try {
    return FileDraft.parse(JSON.parse(readStored(key) ?? ''));
  } catch {
    // A draft that cannot be read was written by something else.
    return undefined;
  }
}
