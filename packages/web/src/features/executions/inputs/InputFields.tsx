import {
  Input as FieldFrame,
  MultiSelect,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { Input } from '@millrace/contract';
import { useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { DateField } from '../../../ui/fields/DateField.tsx';
import { plainText } from '../../../ui/markdown/plainText.ts';
import { CodeField } from './CodeField.tsx';
import { DurationInput } from './DurationInput.tsx';
import { FileField } from './FileField.tsx';
import type { InputValue, InputValues } from './inputValues.ts';

/** What the server says of one input: how it is shown now, and what is wrong with its value. */
export interface CheckedInput {
  input: Input;
  enabled: boolean;
  errors: readonly { message: string }[];
}

interface InputFieldsProps {
  inputs: readonly Input[];
  values: InputValues;
  /** Undefined until the server has looked at the values. */
  checks: readonly CheckedInput[] | undefined;
  /** Why the last try to send them failed. */
  failure: Error | null;
  onChange: (id: string, value: InputValue) => void;
}

/** A field for each input. A field shows its problem once it was visited or the form was sent. */
export function InputFields({ inputs, values, checks, failure, onChange }: InputFieldsProps) {
  const { t } = useTranslation();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = (id: string) => setTouched((old) => new Set(old).add(id));
  const checkOf = (id: string) => checks?.find((check) => check.input.id === id);
  return inputs
    .filter(({ id }) => checkOf(id)?.enabled ?? true)
    .map((input) => {
      const { id } = input;
      const found = touched.has(id) || failure ? checkOf(id)?.errors[0]?.message : undefined;
      return (
        <InputField
          key={id}
          input={checkOf(id)?.input ?? input}
          value={values[id]}
          error={sayAtField(refusalOf(failure, id) ?? found, t('form.required'))}
          onChange={(value) => {
            touch(id);
            onChange(id, value);
          }}
          onTouch={() => touch(id)}
        />
      );
    });
}

const inputError = /^Invalid input for `.*?`, (.*), but received `.*`$/s;

/** The name and the value of an input are in sight at its field: only the reason is said there. */
function sayAtField(message: string | undefined, required: string): string | undefined {
  const reason = message && inputError.exec(message)?.[1];
  if (!reason) return message;
  return reason === 'missing required input' ? required : reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** True when a field already says why the form was refused. */
export const isShownByField = (failure: Error, inputs: readonly Input[]): boolean =>
  inputs.some(({ id }) => refusalOf(failure, id) !== undefined);

const refusalOf = (failure: Error | null, id: string): string | undefined =>
  failure instanceof ApiError ? failure.details.find(({ path }) => path === id)?.message : undefined;

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

/** The field for one input of a flow. A type without its own field is entered as text. */
function InputField({ input, value, error, onChange, onTouch }: InputFieldProps) {
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
      return <FileField {...shared} file={value instanceof File ? value : undefined} onFile={onChange} />;
    case 'JSON':
    case 'YAML':
    case 'ARRAY':
      return <CodeField {...shared} language={input.type} text={textOf(value)} onText={onChange} />;
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
      return <DateField {...shared} type={input.type} text={textOf(value)} onText={onChange} />;
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
