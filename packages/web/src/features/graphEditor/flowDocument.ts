import type { AskedSchema } from '../forms/index.ts';
import type { Part } from './edits/slot.ts';

/** The text that the graph shows, and the ways to change it; the same object for the life of the editor. */
export interface FlowDocument {
  latest(): string;
  /** Writes a new text as one step of the history that all views share. */
  write(text: string): void;
  undo(): void;
  redo(): void;
  schema(): AskedSchema;
  select(id: string): void;
  /** Opens the form of a task or trigger. */
  open(part: Part): void;
}
