import { useCallback, useEffect, useState } from 'react';
import { loadMonaco, type MonacoModule } from './loadMonaco.ts';

type Loaded =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly module: MonacoModule }
  | { readonly status: 'failed' };

export function useMonaco(): { loaded: Loaded; retry(): void } {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what runs it again.
  useEffect(() => {
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
