import type { editor, Selection } from 'monaco-editor/editor';

/** The next page may load for a moment; later another editor with the same text is no continuation. */
const withinMs = 3_000;

let left: { readonly text: string; readonly selection: Selection | null; readonly at: number } | undefined;

/** Call before an editor leaves the page: keeps its selection if it has the focus. */
export function rememberTyping(code: editor.IStandaloneCodeEditor): void {
  const text = code.getModel()?.getValue();
  left =
    code.hasTextFocus() && text !== undefined
      ? { text, selection: code.getSelection(), at: Date.now() }
      : undefined;
}

/**
 * Gives a new editor the focus and the selection of the one before when it shows the same text: saving a new flow opens
 * another page, and the author types on.
 */
export function continueTyping(code: editor.IStandaloneCodeEditor): void {
  const before = left;
  left = undefined;
  if (!before || before.text !== code.getModel()?.getValue() || Date.now() - before.at > withinMs) return;
  if (document.activeElement !== document.body) return;
  if (before.selection) code.setSelection(before.selection);
  code.revealPositionInCenterIfOutsideViewport(code.getPosition() ?? { lineNumber: 1, column: 1 });
  code.focus();
}
