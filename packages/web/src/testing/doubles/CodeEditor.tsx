import type { CodeEditorProps } from '../../ui/code/codeEditorProps.ts';

/** A text area for the code editor, which needs a real browser. A click puts the cursor into the first task's type. */
export function CodeEditor({ ariaLabel, value, readOnly = false, onChange, onCursor }: CodeEditorProps) {
  return (
    <textarea
      aria-label={ariaLabel}
      value={value}
      readOnly={readOnly || !onChange}
      onChange={(event) => onChange?.(event.target.value)}
      onClick={() => onCursor?.(5, 8)}
    />
  );
}
