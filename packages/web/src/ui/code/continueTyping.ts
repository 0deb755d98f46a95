import type { editor } from 'monaco-editor/editor';

/** The next page may load for a moment; an editor that opens later is no continuation. */
const withinMs = 5_000;

interface Left {
  readonly model: editor.ITextModel;
  readonly view: editor.ICodeEditorViewState | null;
  readonly hadFocus: boolean;
  /** The texts of the editor since the announcement: the next page begins with one of them. */
  readonly texts: ReadonlySet<string>;
  readonly timer: ReturnType<typeof setTimeout>;
}

let announced: { readonly path: string; readonly texts: Set<string> } | undefined;
let left: Left | undefined;

/**
 * The page is about to be replaced by another one with the same text: its editor at this path takes the text over as it
 * is then, with its history, its selection and the focus. Saving a new flow opens another page, and the author types on.
 */
export function announceContinuation(path: string, text: string): void {
  announced = { path, texts: new Set([text]) };
}

/** Call with each text of an editor. */
export function noteText(path: string | undefined, text: string): void {
  if (announced && announced.path === path) announced.texts.add(text);
}

/** Call before an editor leaves the page. True when its text is kept for the next editor, and is not to be disposed. */
export function leaveTyping(code: editor.IStandaloneCodeEditor, path: string | undefined): boolean {
  const model = code.getModel();
  if (!announced || announced.path !== path || !model) return false;
  dropLeft();
  left = {
    model,
    view: code.saveViewState(),
    hadFocus: code.hasTextFocus(),
    texts: announced.texts.add(model.getValue()),
    timer: setTimeout(dropLeft, withinMs),
  };
  announced = undefined;
  return true;
}

/** The model that the editor before left for an editor that begins with this text. */
export function continuedModel(text: string): editor.ITextModel | undefined {
  return left?.texts.has(text) ? left.model : undefined;
}

/** Puts the cursor where it was in the editor before. */
export function continueTyping(code: editor.IStandaloneCodeEditor): void {
  if (!left || code.getModel() !== left.model) return;
  const { view, hadFocus, timer } = left;
  left = undefined;
  clearTimeout(timer);
  if (view) code.restoreViewState(view);
  if (hadFocus) code.focus();
}

function dropLeft(): void {
  if (!left) return;
  clearTimeout(left.timer);
  left.model.dispose();
  left = undefined;
}
