import type { Path } from '@millrace/engine';
import type { Completion } from '@millrace/engine/language';
import { createContext, use } from 'react';
import type { Field } from './schema/field.ts';
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
  findingAt(path: Path): Finding | undefined;
}

/** What is wrong with a value; of several findings each has a line. */
export interface Finding {
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

export const FormContext = createContext<FormHost | undefined>(undefined);

export function useForm(): FormHost {
  const host = use(FormContext);
  if (!host) throw new Error('A field stands outside of a form.');
  return host;
}

/** What the control of a field is given. */
export interface WidgetProps<Kind extends Field['kind'] = Field['kind']> {
  readonly field: Extract<Field, { kind: Kind }>;
  /** What the property is called; an item of a list has its place beside it. */
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
  readonly parent: Schema | undefined;
  readonly isRequired: boolean;
  /** What is wrong, in words where the control itself shows them. */
  readonly error: string | boolean;
  readonly isReadOnly: boolean;
  /** Undefined takes the value away. */
  onChange(value: unknown): void;
  /** For the element that is labelled; fields made of several parts name each of them. */
  readonly control: {
    readonly id: string;
    readonly 'aria-label'?: string;
    /** What it is for; the control is described by it. */
    readonly description?: string;
    readonly descriptionProps?: { readonly className: string };
    readonly errorProps?: { readonly className: string };
  };
}
