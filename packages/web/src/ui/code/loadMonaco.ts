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

/** What is there already can be drawn at once. */
export const loadedMonaco = (): MonacoModule | undefined => loaded;

/**
 * Has it ready in time for whoever will show it and say when it cannot be loaded. Without workers, as in a test, there
 * is nothing to begin.
 */
export function beginMonaco(): void {
  if (typeof Worker !== 'undefined') loadMonaco().catch(() => undefined);
}
