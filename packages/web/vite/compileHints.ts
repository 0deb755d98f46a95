import type { Plugin } from 'vite';

/** The files that hold what nearly every page runs; most of what is in them is called before the first paint. */
const hinted =
  /^assets\/(index|base|parts|lists|run|logs|Execution(Page|Logs|Timeline|Graph|Outputs)|[A-Z]\w*ListPage|[A-Z]\w*List)-[\w-]+\.js$/;

/**
 * Has the browser compile these files as they come in, beside the page, instead of each function on the page's own thread
 * when it is called first (https://v8.dev/blog/explicit-compile-hints). Browsers that do not know the comment ignore it.
 */
export function compileHints(): Plugin {
  return {
    name: 'compile-hints',
    apply: 'build',
    generateBundle: {
      // Vite writes to the beginning of files too, and the comment counts only where nothing is before it.
      order: 'post',
      handler: (_, bundle) => {
        for (const one of Object.values(bundle))
          if (one.type === 'chunk' && hinted.test(one.fileName))
            one.code = `//# allFunctionsCalledOnLoad\n${one.code}`;
      },
    },
  };
}
