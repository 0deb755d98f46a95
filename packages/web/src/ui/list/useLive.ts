import { useAutoRefresh } from '../filters/RefreshButtons.tsx';
import type { ListView } from './useListView.ts';

export interface Live {
  /** Whether the list looks again by itself. */
  readonly isOn: boolean;
  /** The switch for it; none while it would do nothing. */
  readonly auto: ReturnType<typeof useAutoRefresh> | undefined;
}

/** How often a list looks again when nothing on it is known to move. */
export const refreshMs = 10_000;

/** Whether a list refreshes itself: as the user wishes, but what lies between two dates does not change by itself. */
export function useLive({ range }: Pick<ListView, 'range'>): Live {
  const auto = useAutoRefresh();
  const canChange = range?.kind !== 'absolute';
  return { isOn: auto.on && canChange, auto: canChange ? auto : undefined };
}
