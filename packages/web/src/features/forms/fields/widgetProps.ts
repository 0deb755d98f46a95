import type { Path } from '@millrace/engine';
import type { Field } from '../schema/field.ts';
import type { Schema } from '../schema/schema.ts';

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
