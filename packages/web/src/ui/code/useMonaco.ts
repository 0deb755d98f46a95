import { useCallback, useEffect, useState } from 'react';
import { loadedMonaco, loadMonaco, type MonacoModule } from './loadMonaco.ts';

type Loaded =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly module: MonacoModule }
  | { readonly status: 'failed' };

export function useMonaco(): { loaded: Loaded; retry(): void } {
  const [loaded, setLoaded] = useState<Loaded>(() => {
    const module = loadedMonaco();
    return module ? { status: 'ready', module } : { status: 'loading' };
  });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what runs it again.
  useEffect(() => {
    if (loaded.status === 'ready') return;
    let isWanted = true;
    loadMonaco().then(
      (module) => isWanted && setLoaded({ status: 'ready', module }),
      () => isWanted && setLoaded({ status: 'failed' }),
    );
    return () => {
      isWanted = false;
    };
  }, [attempt]);
  const retry = useCallback(() => {
    setLoaded({ status: 'loading' });
    setAttempt((count) => count + 1);
  }, []);
  return { loaded, retry };
}
