import { Button, Checkbox, CloseButton, NativeSelect, Radio, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  type Condition,
  type FilterField,
  isPair,
  operationName,
  splitPair,
  takesSeveral,
} from './condition.ts';
import styles from './ListFilters.module.css';

interface FilterEditorProps {
  field: FilterField;
  condition: Condition | undefined;
  /** Without values the condition is taken away. */
  onChange: (condition: Condition) => void;
  onDone: () => void;
}

/** The conditions on one field. Every choice applies at once, so the list behind it shows the effect. */
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

/** More than these are found by typing. */
const shownAtMost = 100;
const searchableFrom = 8;

interface ChoiceValuesProps {
  field: FilterField;
  values: readonly string[];
  isMultiple: boolean;
  onChange: (values: readonly string[]) => void;
}

function ChoiceValues({ field, values, isMultiple, onChange }: ChoiceValuesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const options = field.options ?? [];
  // Chosen values stay visible even when they are not (or no longer) offered.
  const strange = values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value, content: undefined }));
  const wanted = typed.trim().toLowerCase();
  const matching = [...strange, ...options].filter(
    ({ value, label }) => value.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted),
  );
  const toggle = (value: string) => {
    if (!isMultiple) onChange([value]);
    else onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value]);
  };
  const Control = isMultiple ? Checkbox : Radio;
  return (
    <>
      {(field.takesOthers || options.length >= searchableFrom) && (
        <TextInput
          data-autofocus
          placeholder={t(field.takesOthers ? 'filter.findOrType' : 'filter.find')}
          aria-label={t('filter.findIn', { field: field.label })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const exact = options.find(({ value }) => value.toLowerCase() === wanted);
            const value = field.takesOthers ? (exact?.value ?? typed.trim()) : matching[0]?.value;
            if (!value) return;
            setTyped('');
            toggle(value);
          }}
        />
      )}
      <fieldset className={styles.options} aria-label={field.label}>
        {matching.slice(0, shownAtMost).map(({ value, label, content }) => (
          <Control
            key={value}
            size="xs"
            className={styles.option ?? ''}
            name={`filter-${field.name}`}
            label={content ?? label}
            aria-label={label}
            checked={values.includes(value)}
            onChange={() => toggle(value)}
          />
        ))}
      </fieldset>
      {matching.length === 0 && (
        <p className={styles.note}>{t(field.takesOthers ? 'filter.useTyped' : 'filter.nothing')}</p>
      )}
      {matching.length > shownAtMost && (
        <p className={styles.note}>{t('filter.more', { count: matching.length - shownAtMost })}</p>
      )}
    </>
  );
}

interface PairValuesProps {
  field: FilterField;
  values: readonly string[];
  onChange: (values: readonly string[]) => void;
}

function PairValues({ field, values, onChange }: PairValuesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isRefused, refuse] = useState(false);
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isPair(typed)) return refuse(true);
    const pair = splitPair(typed).join(':');
    setTyped('');
    onChange([...values.filter((value) => value !== pair), pair]);
  };
  return (
    <>
      {values.map((value) => (
        <span key={value} className={styles.pair}>
          <code>{value}</code>
          <CloseButton
            size="xs"
            aria-label={t('filter.remove', { field: value })}
            onClick={() => onChange(values.filter((one) => one !== value))}
          />
        </span>
      ))}
      <form className={styles.row} onSubmit={add} noValidate>
        <TextInput
          data-autofocus
          placeholder="key:value"
          aria-label={field.label}
          value={typed}
          error={isRefused && t('filter.pairNeeded')}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            refuse(false);
          }}
        />
        <Button type="submit" variant="default">
          {t('filter.addValue')}
        </Button>
      </form>
    </>
  );
}

interface TextValueProps {
  field: FilterField;
  value: string;
  onChange: (value: string) => void;
}

function TextValue({ field, value, onChange }: TextValueProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
      }}
    >
      <TextInput
        data-autofocus
        aria-label={field.label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('filter.apply')}
      </Button>
    </form>
  );
}
