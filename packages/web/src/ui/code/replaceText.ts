import type { editor } from 'monaco-editor/editor';

/** The part of a text that another text has differently. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Another text, as one step of the editor's own history: only what differs is written, so the cursor stays near. The
 * text was made from `base`; what was typed since then stays, unless the change is at the same place.
 */
export function replaceText(model: editor.ITextModel, text: string, base = model.getValue()): void {
  const now = model.getValue();
  const change = moveBehind(changeOf(base, text), changeOf(base, now)) ?? changeOf(now, text);
  if (change.start === change.end && change.text === '') return;
  const from = model.getPositionAt(change.start);
  const to = model.getPositionAt(change.end);
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
        text: change.text,
      },
    ],
    () => null,
  );
  model.pushStackElement();
}

function changeOf(before: string, text: string): Change {
  if (before === text) return { start: 0, end: 0, text: '' };
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  return { start, end: before.length - end, text: text.slice(start, text.length - end) };
}

/** The change at its place in the text that has the typed change too; nothing when both are at the same place. */
function moveBehind(change: Change, typed: Change): Change | undefined {
  if (typed.start === typed.end && typed.text === '') return change;
  if (change.end < typed.start) return change;
  if (change.start <= typed.end) return undefined;
  const moved = typed.text.length - (typed.end - typed.start);
  return { ...change, start: change.start + moved, end: change.end + moved };
}
