import type { editor } from 'monaco-editor/editor';

/** Another text, as one step of the editor's own history: only what differs is written, so the cursor stays near. */
export function replaceText(model: editor.ITextModel, text: string): void {
  const before = model.getValue();
  if (before === text) return;
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(before.length - end);
  model.pushStackElement();
  model.pushEditOperations(
    [],
    [
      {
        range: {
          startLineNumber: from.lineNumber,
          startColumn: from.column,
          endLineNumber: to.lineNumber,
          endColumn: to.column,
        },
        text: text.slice(start, text.length - end),
      },
    ],
    () => null,
  );
  model.pushStackElement();
}
