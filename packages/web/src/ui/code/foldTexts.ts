import type { editor } from 'monaco-editor/editor';

/** Texts over several lines begin behind a `|` or `>` at the end of a line. */
const opensText = /(^|\s)[|>][+-]?\d?\s*$/;

/** Folds every text over several lines, so that the shape of a flow can be seen. */
export function foldTexts(code: editor.IStandaloneCodeEditor): void {
  const lines = code.getModel()?.getLinesContent() ?? [];
  const selectionLines = lines.flatMap((line, index) => (opensText.test(line) ? [index] : []));
  if (selectionLines.length > 0) code.trigger('millrace', 'editor.fold', { selectionLines });
}
