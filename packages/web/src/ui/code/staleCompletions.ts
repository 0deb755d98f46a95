import type { editor, IDisposable } from 'monaco-editor/editor';

type Listen = (listener: () => void) => IDisposable;

/** The part of Monaco's list of completions that is used here. Monaco publishes none of it. */
interface SuggestController extends editor.IEditorContribution {
  readonly model: {
    readonly onDidTrigger: Listen;
    readonly onDidSuggest: Listen;
    readonly onDidCancel: Listen;
  };
  readonly widget: { readonly value: { hideWidget(): void } };
}

/**
 * Closes a list of completions that belongs to an earlier text before the next key is handled. Monaco keeps the list open
 * while it asks for the next one, and Enter would replace what was typed meanwhile by an entry of the old list.
 */
export function closeStaleCompletions(code: editor.ICodeEditor): void {
  const controller = code.getContribution<SuggestController>('editor.contrib.suggestController');
  if (!controller) return;
  let isStale = false;
  const answered = () => {
    isStale = false;
  };
  controller.model.onDidTrigger(() => {
    isStale = true;
  });
  controller.model.onDidSuggest(answered);
  controller.model.onDidCancel(answered);
  code.onKeyDown(() => {
    if (isStale) controller.widget.value.hideWidget();
  });
}
