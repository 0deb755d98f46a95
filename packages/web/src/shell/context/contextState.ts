import { observable } from '../../state/observable.ts';

export type ContextTab = 'news' | 'docs';

/** What the context bar shows. Only one panel is open at a time. */
interface ContextState {
  readonly tab: ContextTab | undefined;
  /** The documentation page that somebody asked for; otherwise the one of the screen. */
  readonly docPath: string | undefined;
  /** Kept for the visit. */
  readonly widthPx: number;
}

const defaultWidthPx = 640;
const minWidthPx = 50;

const state = observable<ContextState>({ tab: undefined, docPath: undefined, widthPx: defaultWidthPx });

export const useContextState = state.use;

/** Opens a tab, or closes it when it is the one that is open. */
export function toggleTab(tab: ContextTab): void {
  const isOpen = state.get().tab === tab;
  state.set({ ...state.get(), tab: isOpen ? undefined : tab, docPath: undefined });
}

export function closePanel(): void {
  state.set({ ...state.get(), tab: undefined });
}

/** Opens a page of the documentation beside whatever is shown. */
export function openDocs(docPath: string | undefined): void {
  state.set({ ...state.get(), tab: 'docs', docPath });
}

export function openNews(): void {
  state.set({ ...state.get(), tab: 'news', docPath: undefined });
}

/** At most half the window, so that the page beside the panel stays usable. */
export function clampWidth(px: number, windowPx: number): number {
  return Math.max(minWidthPx, Math.min(px, windowPx / 2));
}

export function resizePanel(px: number): void {
  state.set({ ...state.get(), widthPx: clampWidth(px, window.innerWidth) });
}
