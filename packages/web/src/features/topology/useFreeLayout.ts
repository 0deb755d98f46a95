import { useCallback, useState } from 'react';
import type { FreeLayout } from './layout/freeLayout.ts';

let loaded: FreeLayout | undefined;
let loading: Promise<FreeLayout> | undefined;

/** The layout for what is not series-parallel. Few flows need it, so its library is loaded at the first that does. */
export function useFreeLayout(): { freeLayout: FreeLayout | undefined; askFor(): void } {
  const [freeLayout, setFreeLayout] = useState(() => loaded);
  const askFor = useCallback(() => {
    if (loaded) return;
    loading ??= import('./layout/dagreLayout.ts').then((module) => module.layoutWithDagre);
    void loading.then((found) => {
      loaded = found;
      setFreeLayout(() => found);
    });
  }, []);
  return { freeLayout, askFor };
}
