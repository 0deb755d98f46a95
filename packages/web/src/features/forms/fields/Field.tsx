import { ActionIcon } from '@mantine/core';
import { formatPath, type Path } from '@millrace/engine';
import { IconBraces, IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { type Finding, useForm, type WidgetProps } from '../FormHost.ts';
import { checkValue, isExpression, isMissing, type Problem } from '../schema/check.ts';
import { type Field as FieldModel, fieldOf, typeNameOf } from '../schema/field.ts';
import { descriptionOf, isDeprecated, type Schema, textOf } from '../schema/schema.ts';
import { valueAt } from '../source/edit.ts';
import { CodeArea, showExpressionText } from './code.tsx';
import styles from './fields.module.css';
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
  const { definitions, data, isReadOnly, edit, findingAt } = useForm();
  const messageOf = useMessageOf();
  const id = useId();
  const field = fieldOf(definitions, schema, { name, ...(parent && { parent }) });
  const value = valueAt(data, path);
  const problem = checkValue(field, value, isRequired);
  const finding: Finding | undefined = problem
    ? { message: messageOf(problem, name), severity: 'error' }
    : findingAt(path);
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
      finding={finding}
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

interface FieldFrameProps {
  readonly id: string;
  /** Names the field on a page that continues another one. */
  readonly place: string;
  readonly name: string;
  readonly field: FieldModel;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly finding: Finding | undefined;
  readonly isReadOnly: boolean;
  onChange(value: unknown): void;
  readonly children: (control: WidgetProps['control'], error: WidgetProps['error']) => ReactNode;
}

/** Fields that are one control; the others are groups of controls with their own names. */
const single = new Set<FieldModel['kind']>([
  'enum',
  'suggestions',
  'number',
  'string',
  'any',
  'namespace',
  'flowId',
  'dateTime',
]);
const takesTextAnyway = new Set<FieldModel['kind']>(['string', 'any', 'namespace', 'flowId', 'suggestions']);
const showsClear = new Set<FieldModel['kind']>(['oneOf', 'block', 'object', 'duration']);

/** The label, help and problem around the control of a field. */
function FieldFrame(props: FieldFrameProps) {
  const { id, place, name, field, value, isRequired, finding, isReadOnly, onChange, children } = props;
  const message = finding?.message;
  const { t } = useTranslation();
  const [wantsExpression, setWantsExpression] = useState(false);
  const canBeExpression = field.isDynamic && !takesTextAnyway.has(field.kind);
  const isWritten = canBeExpression && (wantsExpression || isExpression(value));
  const text = aboutOf(field);
  const described = [text && `${id}-about`, message && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const isSingle = single.has(field.kind) || isWritten;
  // A single control shows its description and its error itself, and is described by them.
  const control = {
    id,
    ...(isSingle && text && { description: text }),
    descriptionProps: { className: styles.about ?? '' },
    errorProps: { className: styles.error ?? '' },
  };
  const error = isSingle && message !== undefined ? message : message !== undefined;
  const Label = isSingle ? 'label' : 'span';
  const toggle = () => {
    if (isWritten && isExpression(value)) onChange(undefined);
    setWantsExpression(!isWritten);
  };
  const body = (
    <>
      <div className={styles.head}>
        <Label className={styles.name} id={`${id}-name`} {...(isSingle && { htmlFor: id })}>
          {name}
          {isRequired && (
            <span className={styles.star} aria-hidden="true">
              *
            </span>
          )}
        </Label>
        <span className={styles.type}>{typeNameOf(field)}</span>
        {isDeprecated(field.schema) && <span className={styles.deprecated}>{t('plugin.deprecated')}</span>}
        <span className={styles.tools}>
          {canBeExpression && !isReadOnly && (
            <Hint label={t(isWritten ? 'form.asValue' : 'form.asExpression')}>
              <ActionIcon
                size={22}
                aria-label={t(isWritten ? 'form.valueOf' : 'form.expressionOf', { name })}
                aria-pressed={isWritten}
                onClick={toggle}
              >
                <IconBraces size={14} />
              </ActionIcon>
            </Hint>
          )}
          {showsClear.has(field.kind) && !isRequired && !isReadOnly && !isMissing(value) && (
            <Hint label={t('form.clear')}>
              <ActionIcon
                size={22}
                aria-label={t('form.clearOf', { name })}
                onClick={() => onChange(undefined)}
              >
                <IconX size={14} />
              </ActionIcon>
            </Hint>
          )}
        </span>
      </div>
      {text && !isSingle && (
        <p className={styles.about} id={`${id}-about`}>
          {text}
        </p>
      )}
      {isWritten ? (
        <ExpressionWidget
          value={value}
          isReadOnly={isReadOnly}
          error={error}
          onChange={onChange}
          control={control}
        />
      ) : (
        children(control, error)
      )}
      {message && !isSingle && (
        <p className={styles.error} id={`${id}-error`}>
          {message}
        </p>
      )}
    </>
  );
  return isSingle ? (
    <div className={styles.field} data-field={place} data-severity={finding?.severity}>
      {body}
    </div>
  ) : (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, which cannot share a line with the buttons.
    <div
      className={styles.field}
      data-field={place}
      data-severity={finding?.severity}
      role="group"
      aria-labelledby={`${id}-name`}
      aria-describedby={described}
    >
      {body}
    </div>
  );
}

/** The first words of the description, and the default that holds without a value. */
function aboutOf({ schema }: FieldModel): string | undefined {
  const [first = ''] = (descriptionOf(schema) ?? '').split('\n\n');
  const title = textOf(schema.title);
  const words = plainText(first) || title;
  return words && words !== '' ? words : undefined;
}

type ExpressionWidgetProps = Pick<WidgetProps, 'value' | 'isReadOnly' | 'error' | 'onChange' | 'control'>;

/** Code, the same in every language. */
const example = '{{ inputs.value }}';

/** An expression in the place of a value that would otherwise be chosen or counted. */
const ExpressionWidget = ({ value, onChange, ...props }: ExpressionWidgetProps) => (
  <CodeArea
    {...props}
    placeholder={example}
    text={typeof value === 'string' ? value : showExpressionText(value)}
    onText={(text) => onChange(text || undefined)}
  />
);
