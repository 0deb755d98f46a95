import {
  Input as FieldFrame,
  FileInput,
  MultiSelect,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Input } from '@millrace/contract';
import { useTranslation } from 'react-i18next';
import { plainText } from '../../../ui/markdown/plainText.ts';
import type { InputValue } from '../inputValues.ts';
import { DurationInput } from './DurationInput.tsx';

interface InputFieldProps {
  input: Input;
  value: InputValue;
  error: string | undefined;
  onChange: (value: InputValue) => void;
  onTouch: () => void;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const textOf = (value: InputValue): string => (value === undefined ? '' : String(value));

/** Descriptions are Markdown; below a field there is room for their words only. */
const describe = ({ description }: Input) => description && plainText(description);

/** The field for one input of a flow. A type without a field of its own is typed as text. */
export function InputField({ input, value, error, onChange, onTouch }: InputFieldProps) {
  const shared = {
    label: input.displayName ?? input.id,
    description: describe(input),
    withAsterisk: input.required !== false,
    error,
    onBlur: onTouch,
  };
  const choices = Array.isArray(input.values) ? input.values.map(String) : [];
  switch (input.type) {
    case 'INT':
    case 'FLOAT':
      return (
        <NumberInput
          {...shared}
          value={isNumber(value) || typeof value === 'string' ? value : ''}
          onChange={onChange}
          step={input.type === 'INT' ? 1 : 0.001}
          allowDecimal={input.type === 'FLOAT'}
          {...(isNumber(input.min) && { min: input.min })}
          {...(isNumber(input.max) && { max: input.max })}
          clampBehavior="none"
        />
      );
    case 'BOOLEAN':
    case 'BOOL':
      return <BooleanField input={input} value={value} error={error} onChange={onChange} onTouch={onTouch} />;
    case 'SELECT':
    case 'ENUM':
      return choices.length > 0 ? (
        <Select
          {...shared}
          data={choices}
          value={textOf(value) || null}
          onChange={(next) => onChange(next ?? undefined)}
          searchable
          clearable
        />
      ) : (
        <TextInput {...shared} value={textOf(value)} onChange={(e) => onChange(e.currentTarget.value)} />
      );
    case 'MULTISELECT':
      return (
        <MultiSelect
          {...shared}
          data={choices}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
          searchable
          clearable
        />
      );
    case 'SECRET':
      return (
        <PasswordInput
          {...shared}
          autoComplete="off"
          value={textOf(value)}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    case 'FILE':
      return (
        <FileInput
          {...shared}
          clearable
          value={value instanceof File ? value : null}
          onChange={(file) => onChange(file ?? undefined)}
        />
      );
    case 'JSON':
    case 'YAML':
    case 'ARRAY':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mr-font-mono)', fontSize: 12.5 } }}
          value={textOf(value)}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    case 'DURATION':
      return <DurationInput {...shared} value={textOf(value)} onChange={onChange} />;
    case 'STRING':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={10}
          value={textOf(value)}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          placeholder={examples[input.type]}
          value={textOf(value)}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      );
  }
}

/** How the text of a type is written. */
const examples: Partial<Record<Input['type'], string>> = {
  DATETIME: '2026-03-01T10:00:00Z',
  DATE: '2026-03-01',
  TIME: '10:00:00',
  URI: 'https://example.com/orders.csv',
  EMAIL: 'name@example.com',
};

function BooleanField({ input, value, error, onChange, onTouch }: InputFieldProps) {
  const { t } = useTranslation();
  const options = [
    { value: 'true', label: t('boolean.true') },
    { value: 'false', label: t('boolean.false') },
    ...(input.required === false ? [{ value: 'undefined', label: t('boolean.undefined') }] : []),
  ];
  return (
    <FieldFrame.Wrapper
      label={input.displayName ?? input.id}
      description={describe(input)}
      withAsterisk={input.required !== false}
      error={error}
      labelElement="div"
      styles={{ label: { display: 'block' } }}
    >
      <SegmentedControl
        mt={4}
        size="xs"
        aria-label={input.displayName ?? input.id}
        data={options}
        value={value === undefined ? (input.required === false ? 'undefined' : '') : String(value)}
        onChange={(next) => {
          onChange(next === 'undefined' ? undefined : next === 'true');
          onTouch();
        }}
      />
    </FieldFrame.Wrapper>
  );
}
