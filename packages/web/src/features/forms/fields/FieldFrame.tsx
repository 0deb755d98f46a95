import { ActionIcon } from '@mantine/core';
import { IconBraces, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { isExpression, isMissing } from '../schema/check.ts';
import { showExpressionText } from '../schema/expressionText.ts';
import { type Field, typeNameOf } from '../schema/field.ts';
import { descriptionOf, isDeprecated, textOf } from '../schema/schema.ts';
import { CodeArea } from './code.tsx';
import styles from './fields.module.css';
import type { WidgetProps } from './widgetProps.ts';

interface FieldFrameProps {
  readonly id: string;
  /** Names the field on a page that continues another one. */
  readonly place: string;
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly message: string | undefined;
  readonly isReadOnly: boolean;
  onChange(value: unknown): void;
  readonly children: (control: WidgetProps['control'], error: WidgetProps['error']) => ReactNode;
}

/** Fields that are one control; the others are groups of controls with their own names. */
const single = new Set<Field['kind']>([
  'enum',
  'suggestions',
  'number',
  'string',
  'any',
  'namespace',
  'flowId',
  'dateTime',
]);
const takesTextAnyway = new Set<Field['kind']>(['string', 'any', 'namespace', 'flowId', 'suggestions']);
const showsClear = new Set<Field['kind']>(['oneOf', 'block', 'object', 'duration']);

/** The label, help and problem around the control of a field. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, place, name, field, value, isRequired, message, isReadOnly, onChange, children } = props;
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
    <div className={styles.field} data-field={place}>
      {body}
    </div>
  ) : (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, which cannot share a line with the buttons.
    <div
      className={styles.field}
      data-field={place}
      role="group"
      aria-labelledby={`${id}-name`}
      aria-describedby={described}
    >
      {body}
    </div>
  );
}

/** The first words of the description, and the default that holds without a value. */
function aboutOf({ schema }: Field): string | undefined {
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
