/**
 * Loads a module on demand, by its URL or package name. It stays a separate file in the bundle too: code from
 * the compile cache cannot call `import()` itself, because V8 no longer knows the importing module.
 *
 * `as`: the caller declares the type of the module.
 */
export const importModule = <M>(specifier: string): Promise<M> =>
  import(/* @vite-ignore */ specifier) as Promise<M>;
