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
