import { formatPath, type Path } from '@millrace/engine';
import { useId } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm } from '../FormHost.ts';
import { checkValue, type Problem } from '../schema/check.ts';
import { fieldOf } from '../schema/field.ts';
import type { Schema } from '../schema/schema.ts';
import { valueAt } from '../source/edit.ts';
import { FieldFrame } from './FieldFrame.tsx';
import { Widget } from './Widget.tsx';

interface FieldProps {
  readonly name: string;
  /** As it stands in the schema of the object. */
  readonly schema: unknown;
  readonly parent: Schema | undefined;
  readonly path: Path;
  readonly isRequired: boolean;
  readonly isLocked?: boolean | undefined;
}

/** One property of an object: what it is called, what it is for, its value, and what is wrong with it. */
export function Field({ name, schema, parent, path, isRequired, isLocked = false }: FieldProps) {
  const { definitions, data, isReadOnly, edit, messageAt } = useForm();
  const messageOf = useMessageOf();
  const id = useId();
  const field = fieldOf(definitions, schema, { name, ...(parent && { parent }) });
  const value = valueAt(data, path);
  const problem = checkValue(field, value, isRequired);
  const message = problem ? messageOf(problem, name) : messageAt(path);
  // An empty text is no value, but a required one keeps its place in the document while it is being written.
  const change = (next: unknown) =>
    edit({ kind: 'set', path, value: next === '' && !isRequired ? undefined : next });
  return (
    <FieldFrame
      id={id}
      place={formatPath(path)}
      name={name}
      field={field}
      value={value}
      isRequired={isRequired}
      message={message}
      isReadOnly={isReadOnly || isLocked}
      onChange={change}
    >
      {(control, error) => (
        <Widget
          field={field}
          name={name}
          path={path}
          value={value}
          parent={parent}
          isRequired={isRequired}
          error={error}
          isReadOnly={isReadOnly || isLocked}
          onChange={change}
          control={control}
        />
      )}
    </FieldFrame>
  );
}

/** What is wrong with a field, in words. */
function useMessageOf(): (problem: Problem, name: string) => string {
  const { t } = useTranslation();
  return (problem, name) => {
    if (problem.kind === 'required') return t('form.required');
    if (problem.kind === 'duration') return t('form.duration');
    const invalid = t('form.invalid', { name });
    const { reason } = problem;
    return reason ? `${invalid}. ${t(`form.reason.${reason.rule}`, { limit: reason.limit })}` : invalid;
  };
}
