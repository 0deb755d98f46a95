import { useMatches, useRouterState } from '@tanstack/react-router';
import { z } from 'zod';
import { observable } from '../../state/observable.ts';
import { readSession, writeSession } from '../../storage/storage.ts';

export type ContextTab = 'news' | 'docs';

/** What the context bar shows, for the visit: a reload shows it again. Only one panel is open at a time. */
interface ContextState {
  readonly tab: ContextTab | undefined;
  /** The documentation page that the user opened, `path#heading`; otherwise the one of the screen. */
  readonly docPath: string | undefined;
  readonly widthPx: number;
}

const defaultWidthPx = 640;
const minWidthPx = 50;

const Stored = z.object({
  tab: z.enum(['news', 'docs']).optional(),
  docPath: z.string().optional(),
  widthPx: z.number().min(minWidthPx),
});
const storedAs = 'contextPanel';

const state = observable<ContextState>({
  tab: undefined,
  docPath: undefined,
  widthPx: defaultWidthPx,
  ...readSession(storedAs, Stored),
});

export const useContextState = state.use;

function change(part: Partial<ContextState>): void {
  state.set({ ...state.get(), ...part });
  writeSession(storedAs, state.get());
}

/** Opens a tab, or closes it when it is the one that is open. */
export function toggleTab(tab: ContextTab): void {
  const isOpen = state.get().tab === tab;
  change({ tab: isOpen ? undefined : tab, docPath: undefined });
}

export function closePanel(): void {
  change({ tab: undefined });
}

/** Opens a page of the documentation beside whatever is shown. */
export function openDocs(docPath: string | undefined): void {
  change({ tab: 'docs', docPath });
}

export function openNews(): void {
  change({ tab: 'news', docPath: undefined });
}

/** At most half the window, so that the page beside the panel stays usable. */
export function clampWidth(px: number, windowPx: number): number {
  return Math.max(minWidthPx, Math.min(px, windowPx / 2));
}

export function resizePanel(px: number): void {
  change({ widthPx: clampWidth(px, window.innerWidth) });
}

/** The documentation id of the page that is open: its route's own, or the last segment of its path. */
export function useDocId(): string | undefined {
  const own = useMatches({ select: (matches) => matches.at(-1)?.staticData.docId });
  const last = useRouterState({ select: (state) => state.location.pathname.split('/').findLast(Boolean) });
  return own ?? last;
}
