import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChoiceValues } from './ChoiceValues.tsx';
import { type Condition, type FilterField, takesSeveral } from './condition.ts';
import styles from './ListFilters.module.css';
import { operationName } from './operationName.ts';
import { PairValues } from './PairValues.tsx';
import { TextValue } from './TextValue.tsx';

interface FilterEditorProps {
  field: FilterField;
  condition: Condition | undefined;
  /** Without values the condition is taken away. */
  onChange: (condition: Condition) => void;
  onDone: () => void;
}

/** What is asked of one field. Every choice counts at once: the list behind it shows what it does. */
export function FilterEditor({ field, condition, onChange, onDone }: FilterEditorProps) {
  const { t } = useTranslation();
  const [chosen, choose] = useState(field.operations[0] ?? field.plain.operation);
  const operation = condition?.operation ?? chosen;
  const values = condition?.values ?? [];
  const isMultiple = takesSeveral(field, operation);
  const change = (next: readonly string[]) => onChange({ field: field.name, operation, values: next });
  const changeOperation = (next: string) => {
    choose(next);
    const kept = takesSeveral(field, next) ? values : values.slice(0, 1);
    if (condition) onChange({ field: field.name, operation: next, values: kept });
  };
  return (
    <div className={styles.editor}>
      {field.operations.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('filter.operation')}
          value={operation}
          onChange={(event) => changeOperation(event.currentTarget.value)}
          data={field.operations.map((one) => ({
            value: one,
            label: operationName(t, one),
          }))}
        />
      )}
      {field.kind === 'choice' && (
        <ChoiceValues
          field={field}
          values={values}
          isMultiple={isMultiple}
          onChange={(next) => {
            change(next);
            if (!isMultiple) onDone();
          }}
        />
      )}
      {field.kind === 'pair' && <PairValues field={field} values={values} onChange={change} />}
      {field.kind === 'text' && (
        <TextValue
          field={field}
          value={values.join(', ')}
          onChange={(text) => {
            change(operation.endsWith('IN') ? splitList(text) : text ? [text] : []);
            onDone();
          }}
        />
      )}
    </div>
  );
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
