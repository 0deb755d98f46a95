import { useState } from 'react';
import { z } from 'zod';
import { readStored, writeStored } from '../../storage/storage.ts';

const SavedSearch = z.object({ label: z.string().min(1), criteria: z.record(z.string(), z.unknown()) });
export type SavedSearch = z.infer<typeof SavedSearch>;

/** The searches that were saved for one list, newest first. A second one with the same label replaces the first. */
export function useSavedSearches(list: string) {
  const [saved, setSaved] = useState(() => read(list));
  const write = (next: SavedSearch[]) => {
    setSaved(next);
    writeStored(`saved__${list}`, next.length > 0 ? JSON.stringify(next) : undefined);
  };
  return {
    saved,
    save: (search: SavedSearch) => write([search, ...saved.filter(({ label }) => label !== search.label)]),
    remove: (label: string) => write(saved.filter((search) => search.label !== label)),
  };
}

function read(list: string): SavedSearch[] {
  try {
    return z.array(SavedSearch).parse(JSON.parse(readStored(`saved__${list}`) ?? '[]'));
  } catch {
    // Storage that somebody else wrote to is no reason to show no list.
    return [];
  }
}
