import type { Input } from '@millrace/contract';
import { useState } from 'react';
import { ApiError } from '../../../api/ApiError.ts';
import type { InputValue, InputValues } from '../inputValues.ts';
import { InputField } from './InputField.tsx';

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

/** A field for each input. What is wrong shows once the field was visited or the form was sent. */
export function InputFields({ inputs, values, checks, failure, onChange }: InputFieldsProps) {
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
          error={refusalOf(failure, id) ?? found}
          onChange={(value) => {
            touch(id);
            onChange(id, value);
          }}
          onTouch={() => touch(id)}
        />
      );
    });
}

/** True when a field already says why the form was refused. */
export const isShownByField = (failure: Error, inputs: readonly Input[]): boolean =>
  inputs.some(({ id }) => refusalOf(failure, id) !== undefined);

const refusalOf = (failure: Error | null, id: string): string | undefined =>
  failure instanceof ApiError ? failure.details.find(({ path }) => path === id)?.message : undefined;
