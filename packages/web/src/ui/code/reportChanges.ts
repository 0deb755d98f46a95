import type { editor } from 'monaco-editor/editor';
import { flushSync } from 'react-dom';

/** Up to here a change is rendered within the frame of its key; rendering longer texts would delay the next keys. */
const AT_ONCE_CHARACTERS = 4000;
/** Longer than the time between two keys of a fast typist; a slower one, or a busy machine, gets a longer pause. */
const PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 400;

interface Listeners {
  onText(text: string): void;
  onCursor(line: number, column: number): void;
}

export interface Reports {
  /** The text that was reported last, or that the model began with. */
  reported(): string;
  /** The model was given this text from outside: there is nothing to report about it. */
  take(text: string): void;
  /** Reports now what waits for a pause. */
  flush(): void;
  /** Reports the text that waits, and stops. */
  dispose(): void;
}

/**
 * Reports the text and the cursor of an editor: those of a short text at once, those of a long one when typing pauses.
 * Everything else that the user does (a click, a shortcut, leaving the page) is preceded by what was typed.
 */
export function reportChanges(
  code: editor.ICodeEditor,
  model: editor.ITextModel,
  listeners: Listeners,
): Reports {
  let reported = model.getValue();
  let hasText = false;
  let hasCursor = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = PAUSE_MS;

  const reportText = () => {
    if (!hasText) return;
    hasText = false;
    reported = model.getValue();
    listeners.onText(reported);
  };
  const reportCursor = () => {
    if (!hasCursor) return;
    hasCursor = false;
    const position = code.getPosition();
    if (position) listeners.onCursor(position.lineNumber, position.column);
  };
  const flush = () => {
    clearTimeout(timer);
    if (!hasText && !hasCursor) return;
    flushSync(() => {
      reportText();
      reportCursor();
    });
  };
  const reportLater = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reportText();
      reportCursor();
    }, pauseMs);
  };
  /** Half as long again as the last two keys were apart, so that the report falls into a pause and not between keys. */
  const measurePause = () => {
    const gapMs = performance.now() - typedAt;
    typedAt = performance.now();
    pauseMs =
      gapMs > LONGEST_PAUSE_MS ? PAUSE_MS : Math.min(Math.max(PAUSE_MS, gapMs * 1.5), LONGEST_PAUSE_MS);
  };
  // A microtask, because Monaco also reports changes while React renders. React does not know the event that Monaco gets
  // its text by, and would render after the frame by itself.
  const reportAtOnce = () => queueMicrotask(flush);
  const isShort = () => model.getValueLength() <= AT_ONCE_CHARACTERS;
  const listening = [
    model.onDidChangeContent(() => {
      hasText = true;
      measurePause();
      if (isShort()) reportAtOnce();
      else reportLater();
    }),
    code.onDidChangeCursorPosition(({ source }) => {
      hasCursor = true;
      // A click is no typing: what is beside the text follows it at once.
      if (isShort() || (source !== 'keyboard' && !hasText)) reportAtOnce();
      else reportLater();
    }),
    code.onDidBlurEditorText(flush),
  ];
  const onKey = ({ ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey) flush();
  };
  const onPointer = ({ target }: Event) => {
    if (!(target instanceof Node && code.getDomNode()?.contains(target))) flush();
  };
  window.addEventListener('keydown', onKey, { capture: true });
  window.addEventListener('pointerdown', onPointer, { capture: true });
  window.addEventListener('pagehide', flush, { capture: true });
  window.addEventListener('beforeunload', flush, { capture: true });
  return {
    reported: () => reported,
    take: (text) => {
      reported = text;
      hasText = model.getValue() !== text;
      if (hasText) reportLater();
    },
    flush,
    dispose: () => {
      clearTimeout(timer);
      reportText();
      for (const each of listening) each.dispose();
      window.removeEventListener('keydown', onKey, { capture: true });
      window.removeEventListener('pointerdown', onPointer, { capture: true });
      window.removeEventListener('pagehide', flush, { capture: true });
      window.removeEventListener('beforeunload', flush, { capture: true });
    },
  };
}

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
