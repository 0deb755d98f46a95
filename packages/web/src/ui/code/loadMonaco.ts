export type MonacoModule = typeof import('./monaco.ts');

let loading: Promise<MonacoModule> | undefined;

/**
 * Loads the editor once, for every part that needs it. Call it early (on hover, beside a route's own chunk)
 * to have it ready in time; a failed load is forgotten, so that the next call tries again.
 */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= import('./monaco.ts').catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
