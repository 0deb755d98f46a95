import type { Issue } from '@millrace/contract';

/** A text at the end of a line that is not part of the content. */
export interface LineNote {
  readonly line: number;
  readonly text: string;
  readonly tone: 'value' | 'assumed' | 'error';
}

/** An action on the place of the cursor. */
interface CodeAction {
  readonly id: string;
  readonly label: string;
  readonly key: 'mod+Enter' | 'mod+shift+Enter';
}

/** What an editor is given, before and after its large part has loaded. */
export interface CodeEditorProps {
  readonly value: string;
  /** Texts from before the editor was opened, oldest first, to go back over. */
  readonly past?: readonly string[] | undefined;
  /** Texts that were gone back from before the editor was opened, the next one first, to go forward to. */
  readonly future?: readonly string[] | undefined;
  readonly language: string;
  readonly onChange?: ((value: string) => void) | undefined;
  readonly readOnly?: boolean | undefined;
  /** The file's name; YAML schemas are matched by it. */
  readonly path?: string | undefined;
  readonly markers?: readonly Issue[] | undefined;
  readonly onCursor?: ((line: number, column: number) => void) | undefined;
  /** Brings the line into view and puts the cursor there, each time it changes. */
  readonly revealLine?: number | undefined;
  readonly onSave?: (() => void) | undefined;
  /** Offered in the menu of the text and by their keys. */
  readonly actions?: readonly CodeAction[] | undefined;
  readonly onAction?: ((id: string) => void) | undefined;
  /** Shown beside the lines; the text stays as it is. */
  readonly notes?: readonly LineNote[] | undefined;
  readonly ariaLabel: string;
}
