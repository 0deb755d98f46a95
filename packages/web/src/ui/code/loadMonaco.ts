export type MonacoModule = typeof import('./monaco.ts');

let loading: Promise<MonacoModule> | undefined;
let loaded: MonacoModule | undefined;

/**
 * Loads the editor once, for every part that needs it; a failed load is forgotten, so that the next call tries again.
 */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= import('./monaco.ts').then(
    (module) => {
      loaded = module;
      return module;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** A loaded Monaco renders at once. */
export const loadedMonaco = (): MonacoModule | undefined => loaded;

/**
 * Starts to load Monaco for a component that will show it and report a failure. Without workers, as in a test, there is
 * nothing to load.
 */
export function preloadMonaco(): void {
  if (typeof Worker !== 'undefined') loadMonaco().catch(() => undefined);
}
