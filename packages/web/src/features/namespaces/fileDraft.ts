import { z } from 'zod';
import { currentTenant } from '../../api/tenant.ts';
import { listStored, readStored, writeStored } from '../../storage/storage.ts';

/** The text of a namespace file that is being edited, kept in the browser until it is saved or discarded. */
const FileDraft = z.object({
  text: z.string(),
  /** The text of the file when the edit began. */
  base: z.string(),
  at: z.iso.datetime(),
});
export type FileDraft = z.infer<typeof FileDraft>;

const prefixOf = (namespace: string) => `draft:file:${currentTenant() ?? ''}:${namespace}:` as const;

/** The paths of the files that have a draft. */
export const listFileDrafts = (namespace: string): string[] =>
  listStored(prefixOf(namespace)).map((key) => key.slice(prefixOf(namespace).length));

export function readFileDraft(namespace: string, path: string): FileDraft | undefined {
  const stored = readStored(`${prefixOf(namespace)}${path}`);
  if (stored === undefined) return undefined;
  try {
    return FileDraft.parse(JSON.parse(stored));
  } catch {
    // A draft that cannot be read was written by something else.
    return undefined;
  }
}

export const writeFileDraft = (namespace: string, path: string, draft: FileDraft): void =>
  writeStored(`${prefixOf(namespace)}${path}`, JSON.stringify(draft));

export const dropFileDraft = (namespace: string, path: string): void =>
  writeStored(`${prefixOf(namespace)}${path}`, undefined);
