import { useEffect } from 'react';
import { loadMonaco } from '../../ui/code/index.ts';
import { completeExpression, readAround } from '../expressions/index.ts';
import { FLOW_PATH } from './useFlowSchema.ts';

/** Completes expressions in the text of a flow: the variables there are, and the names that this flow gives. */
export function useExpressionWords(): void {
  useEffect(() => {
    let isGone = false;
    let dispose = () => {};
    // What the text said when it could be read last: while one is typed, more than one line may be wrong.
    let said: unknown;
    loadMonaco().then(
      ({ monaco }) => {
        if (isGone) return;
        const provider = monaco.languages.registerCompletionItemProvider('yaml', {
          triggerCharacters: ['{', '.', ' '],
          provideCompletionItems: (model, position) => {
            if (!model.uri.path.endsWith(FLOW_PATH)) return { suggestions: [] };
            const text = model.getValue();
            const offset = model.getOffsetAt(position);
            said = readAround(text, offset) ?? said;
            const found = completeExpression(text.slice(0, offset), said);
            return {
              suggestions: found.map(({ label, insert, from }) => ({
                label,
                insertText: insert,
                filterText: text.slice(from, offset) + label,
                kind: monaco.languages.CompletionItemKind.Variable,
                range: monaco.Range.fromPositions(model.getPositionAt(from), position),
              })),
            };
          },
        });
        dispose = () => provider.dispose();
      },
      () => {}, // The editor itself says that it could not be loaded.
    );
    return () => {
      isGone = true;
      dispose();
    };
  }, []);
}
