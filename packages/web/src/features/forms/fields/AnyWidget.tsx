import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { readExpressionText, showExpressionText } from '../schema/expressionText.ts';
import { isSameData } from '../source/edit.ts';
import styles from './fields.module.css';
import type { WidgetProps } from './widgetProps.ts';

/**
 * Any value at all: a text that begins with an expression is that text, everything else is YAML. What cannot be read
 * stays in the field and changes nothing until it can.
 */
export function AnyWidget({ field, value, error, isReadOnly, onChange, control }: WidgetProps<'any'>) {
  const [draft, setDraft] = useState<string>();
  const read = draft === undefined ? undefined : readExpressionText(draft);
  const isCurrent = read && ('problem' in read || isSameData(read.value ?? '', value ?? ''));
  const problem = isCurrent && 'problem' in read ? read.problem : undefined;
  const fallback = field.schema.default;
  return (
    <Textarea
      {...control}
      classNames={{ input: styles.code ?? '' }}
      autosize
      minRows={1}
      maxRows={16}
      spellCheck={false}
      placeholder={fallback === undefined ? '' : showExpressionText(fallback)}
      error={problem ?? error}
      readOnly={isReadOnly}
      value={isCurrent ? draft : showExpressionText(value)}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text);
        const next = readExpressionText(text);
        if ('value' in next) onChange(next.value);
      }}
    />
  );
}
