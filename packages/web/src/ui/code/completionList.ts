import type { editor, IDisposable, IPosition } from 'monaco-editor/editor';

/** An entry of Monaco's list of completions. */
interface Entry {
  /** Where the text begins that the entry replaces. */
  readonly editStart: IPosition;
  readonly labelLow: string;
  readonly filterTextLow?: string;
}

type Listen<T> = (listener: (event: T) => void) => IDisposable;

/** The part of Monaco's list of completions that is used here. Monaco publishes none of it. */
interface SuggestController extends editor.IEditorContribution {
  readonly model: {
    readonly onDidTrigger: Listen<unknown>;
    readonly onDidSuggest: Listen<{ readonly completionModel: { readonly items: readonly Entry[] } }>;
    readonly onDidCancel: Listen<unknown>;
  };
  readonly widget: {
    readonly value: {
      hideWidget(): void;
      focusSelected(): void;
      getFocusedItem(): { readonly item: Entry } | undefined;
    };
  };
}

/**
 * Makes Enter and Tab take an entry of the list of completions exactly when it continues what is typed, however late the
 * list comes. Monaco keeps a list open while it asks for the next one, and would replace the text that was typed
 * meanwhile by an entry of the old list. And a list that was asked for at a dot has no chosen entry, also when the
 * letters behind the dot were there before the list.
 */
export function fitCompletionsToText(code: editor.ICodeEditor): void {
  const controller = code.getContribution<SuggestController>('editor.contrib.suggestController');
  if (!controller) return;
  const { model, widget } = controller;
  let isStale = false;
  model.onDidTrigger(() => {
    isStale = true;
  });
  model.onDidCancel(() => {
    isStale = false;
  });
  model.onDidSuggest(({ completionModel: { items } }) => {
    isStale = false;
    if (items[0] && readTyped(code, items[0]) && !widget.value.getFocusedItem()) widget.value.focusSelected();
  });
  code.onKeyDown(({ browserEvent: { key } }) => {
    if (!isStale || (key !== 'Enter' && key !== 'Tab')) return;
    const entry = widget.value.getFocusedItem()?.item;
    if (!entry) return;
    const typed = readTyped(code, entry)?.toLowerCase();
    const text = entry.filterTextLow ?? entry.labelLow;
    // Enter ends the line when the word is complete.
    const isComplete = key === 'Enter' && typed === text;
    if (typed === undefined || !text.startsWith(typed) || isComplete) widget.value.hideWidget();
  });
}

/** The text from where an entry begins to the cursor; nothing when the cursor is on another line. */
function readTyped(code: editor.ICodeEditor, { editStart }: Entry): string | undefined {
  const cursor = code.getPosition();
  if (cursor?.lineNumber !== editStart.lineNumber) return undefined;
  return code
    .getModel()
    ?.getLineContent(cursor.lineNumber)
    .slice(editStart.column - 1, cursor.column - 1);
}
