import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { z } from 'zod';
import { basePath } from '../../api/tenant.ts';
import { readStored, useStored, writeStored } from '../../storage/storage.ts';
import { useHrefOf } from '../sidebar/navigation.ts';
import type { PaletteItem } from './item.ts';

/** Follows an item: to its page, here or in a new tab, or into its action. */
export function useChoose(onClose: () => void): (item: PaletteItem, inNewTab: boolean) => void {
  const navigate = useNavigate();
  const hrefOf = useHrefOf();
  return (item, inNewTab) => {
    const { target } = item;
    if (target.kind === 'action') {
      if (!target.staysOpen) onClose();
      target.run();
      return;
    }
    remember(item, target.path);
    onClose();
    const href = hrefOf(target);
    if (inNewTab) window.open(`${basePath()}${href}`, '_blank', 'noopener');
    else void navigate({ href });
  };
}

/** The address of an item's page, for the browser's own ways of opening it. */
export function useAddressOf(): (item: PaletteItem) => string | undefined {
  const hrefOf = useHrefOf();
  return ({ target }) => (target.kind === 'page' ? `${basePath()}${hrefOf(target)}` : undefined);
}

const kinds = ['page', 'flow', 'execution', 'doc'] as const;

/** Actions and searches are not places to come back to. */
function remember({ id, label, detail }: PaletteItem, path: string): void {
  const kind = kinds.find((one) => id.startsWith(`${one}:`));
  if (kind) rememberRecent({ id, kind, label, detail, path });
}

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
function rememberRecent(recent: Recent): void {
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
