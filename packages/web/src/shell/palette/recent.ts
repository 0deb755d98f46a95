import { useMemo } from 'react';
import { z } from 'zod';
import { readStored, useStored, writeStored } from '../../storage/storage.ts';

/** A page that was reached through the palette. `path` has no tenant in front. */
const Recent = z.object({
  id: z.string(),
  kind: z.enum(['page', 'flow', 'execution', 'doc']),
  label: z.string(),
  detail: z.string().optional(),
  path: z.string(),
});
export type Recent = z.infer<typeof Recent>;
const Recents = z.array(Recent);

const kept = 5;

export function useRecents(): readonly Recent[] {
  const stored = useStored('paletteRecent');
  return useMemo(() => parse(stored), [stored]);
}

/** The latest comes first, and only once. */
export function rememberRecent(recent: Recent): void {
  const others = parse(readStored('paletteRecent')).filter(({ id }) => id !== recent.id);
  writeStored('paletteRecent', JSON.stringify([recent, ...others].slice(0, kept)));
}

function parse(stored: string | undefined): readonly Recent[] {
  if (stored === undefined) return [];
  try {
    return Recents.parse(JSON.parse(stored));
  } catch {
    // Written by something else: an unreadable list is no list.
    return [];
  }
}
