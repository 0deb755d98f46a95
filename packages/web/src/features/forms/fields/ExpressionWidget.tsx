import { Textarea } from '@mantine/core';
import { showExpressionText } from '../schema/expressionText.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widgetProps.ts';

type ExpressionWidgetProps = Pick<WidgetProps, 'value' | 'isReadOnly' | 'error' | 'onChange' | 'control'>;

/** An expression in the place of a value that would otherwise be chosen or counted. */
export function ExpressionWidget({ value, isReadOnly, error, onChange, control }: ExpressionWidgetProps) {
  return (
    <Textarea
      {...control}
      classNames={{ input: styles.code ?? '' }}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      placeholder="{{ inputs.value }}"
      error={error}
      readOnly={isReadOnly}
      value={typeof value === 'string' ? value : showExpressionText(value)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
