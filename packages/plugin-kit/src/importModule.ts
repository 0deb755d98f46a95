/**
 * Loads a module when it is needed, by its URL or the name of its package. A file of its own in the bundle too: what is
 * kept compiled cannot import by itself, because the engine no longer knows on whose behalf.
 *
 * `as`: whoever asks for a module says what it is.
 */
export const importModule = <M>(specifier: string): Promise<M> =>
  import(/* @vite-ignore */ specifier) as Promise<M>;
