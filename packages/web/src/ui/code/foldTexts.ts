import type { editor } from 'monaco-editor/editor';

/** Texts over several lines begin behind a `|` or `>` at the end of a line. */
const opensText = /(^|\s)[|>][+-]?\d?\s*$/;

/** Folds every text over several lines, so that the shape of a flow can be seen; doing it again changes nothing. */
export function foldTexts(code: editor.IStandaloneCodeEditor): void {
  const lines = code.getModel()?.getLinesContent() ?? [];
  const selectionLines = lines.flatMap((line, index) => (opensText.test(line) ? [index] : []));
  if (selectionLines.length > 0) code.trigger('millrace', 'editor.fold', { selectionLines, levels: 1 });
}

/** A new text is folded once the editor has found out what can be, a moment after it is there. */
export function foldTextsAtFirst(code: editor.IStandaloneCodeEditor): void {
  const model = code.getModel();
  if (!model) return;
  // What can be folded is marked in the text.
  const marking = model.onDidChangeDecorations(() => foldTexts(code));
  const stop = () => marking.dispose();
  // From the first key or click on, what is folded is the reader's business.
  code.onKeyDown(stop);
  code.onMouseDown(stop);
  setTimeout(stop, giveUpMs);
}

const giveUpMs = 10_000;
