import { useEffect } from 'react';
import type { ListView } from './useListView.ts';

/**
 * A page that lies behind the last one, because rows are gone since its link was made, becomes the last one: an empty
 * page among full ones would look like an empty list.
 */
export function useLastPage(
  { page, size, correctPage }: Pick<ListView, 'page' | 'size' | 'correctPage'>,
  data: { results: readonly unknown[]; total: number } | undefined,
): void {
  const isBehind = page > 1 && data?.results.length === 0 && data.total > 0;
  const last = Math.ceil((data?.total ?? 0) / size);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is made anew with every rendering.
  useEffect(() => {
    if (isBehind) correctPage(last);
  }, [isBehind, last]);
}
