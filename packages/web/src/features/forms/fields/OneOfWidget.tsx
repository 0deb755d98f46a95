import { SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useForm, type WidgetProps } from '../FormHost.ts';
import { branchName, branchOf, toBranch } from '../schema/branch.ts';
import { fieldOf } from '../schema/field.ts';
import styles from './fields.module.css';
import { Widget } from './Widget.tsx';

const fewBranches = 4;

/** One of several shapes: which one, and below it the value in that shape. */
export function OneOfWidget({ field, ...props }: WidgetProps<'oneOf'>) {
  const { name, path, value, isRequired, isReadOnly, onChange, control } = props;
  const { t } = useTranslation();
  const { definitions } = useForm();
  const [wanted, setWanted] = useState<number>();
  const found = branchOf(field.branches, value);
  const chosen = found === -1 ? (wanted ?? 0) : found;
  const branch = field.branches[chosen] ?? {};
  const names = field.branches.map(branchName);
  const labels = names.map((one, index) => (names.indexOf(one) === index ? one : `${one} ${index + 1}`));
  const choose = (index: number) => {
    const next = field.branches[index];
    if (!next || index === chosen) return;
    setWanted(index);
    if (value !== undefined) onChange(toBranch(next, value));
  };
  const label = t('form.shapeOf', { name });
  const choices = labels.map((one, index) => ({ value: String(index), label: one }));
  return (
    <div className={styles.oneOf}>
      {choices.length <= fewBranches ? (
        <SegmentedControl
          size="xs"
          className={styles.choice ?? ''}
          aria-label={label}
          disabled={isReadOnly}
          data={choices}
          value={String(chosen)}
          onChange={(next) => choose(Number(next))}
        />
      ) : (
        <Select
          maw={340}
          aria-label={label}
          searchable
          readOnly={isReadOnly}
          data={choices}
          value={String(chosen)}
          onChange={(next) => next !== null && choose(Number(next))}
        />
      )}
      <Widget
        {...props}
        key={`${path.join('.')} ${chosen}`}
        field={fieldOf(definitions, branch)}
        isRequired={isRequired}
        control={{ ...control, 'aria-label': name }}
      />
    </div>
  );
}
