/** Monaco has this module and no types for it. */
declare module 'monaco-editor/editor/contrib/suggest/browser/completionModel' {
  import type { RankedEntry } from './typeOrder.ts';

  export const CompletionModel: {
    _compareCompletionItems(a: RankedEntry, b: RankedEntry): number;
  };
}
