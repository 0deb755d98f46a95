import { useState } from 'react';
import { readExpressionText, showExpressionText } from '../schema/expressionText.ts';
import { isSameData } from '../source/edit.ts';
import { CodeArea } from './code.tsx';
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
    <CodeArea
      control={control}
      isReadOnly={isReadOnly}
      placeholder={fallback === undefined ? '' : showExpressionText(fallback)}
      error={problem ?? error}
      text={isCurrent ? (draft ?? '') : showExpressionText(value)}
      onText={(text) => {
        setDraft(text);
        const next = readExpressionText(text);
        if ('value' in next) onChange(next.value);
      }}
    />
  );
}
