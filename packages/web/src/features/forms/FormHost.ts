import type { Path } from '@millrace/engine';
import type { Completion } from '@millrace/engine/language';
import { createContext, use } from 'react';
import type { Definitions, Schema } from './schema/schema.ts';
import type { Edit } from './source/edit.ts';

/** What every field of a form works with: the document, and the way to change it. */
export interface FormHost {
  readonly definitions: Definitions;
  /** What a type asks for, also one that the document does not use yet. */
  readType(place: Schema, type: string): Promise<Schema>;
  /** The whole document as data. */
  readonly data: unknown;
  readonly isReadOnly: boolean;
  /** A saved flow keeps its id and its namespace. */
  readonly isSaved: boolean;
  edit(edit: Edit): void;
  /** Shows the form of what stands at the path. */
  open(path: Path): void;
  /** Loads the names that completion needs beside the text, before the first expression is typed. */
  prepareCompletion(): void;
  /** The completions of an expression that ends at the cursor. */
  complete(before: string): Promise<readonly Completion[]>;
  /** What the checks of the whole flow say about this place. */
  messageAt(path: Path): string | undefined;
}

export const FormContext = createContext<FormHost | undefined>(undefined);

export function useForm(): FormHost {
  const host = use(FormContext);
  if (!host) throw new Error('A field stands outside of a form.');
  return host;
}
