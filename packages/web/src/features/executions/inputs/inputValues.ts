import type { Input } from '@millrace/contract';

/** What a field of the form holds. Undefined and empty text are "not given". */
export type InputValue = string | number | boolean | string[] | File | undefined;
export type InputValues = Readonly<Record<string, InputValue>>;

/** Defaults that are plain values appear in the form; expressions stay with the server. */
export function initialValue(input: Input): InputValue {
  const { defaults } = input;
  return typeof defaults === 'string' && defaults.includes('{{') ? undefined : asInputValue(input, defaults);
}

/** A value as its field of the form holds it. */
function asInputValue(input: Input, value: unknown): InputValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return undefined;
  if (input.type === 'MULTISELECT' && Array.isArray(value)) return value.map(String);
  return JSON.stringify(value, undefined, 2);
}

export const initialValues = (inputs: readonly Input[]): InputValues =>
  Object.fromEntries(inputs.map((input) => [input.id, initialValue(input)]));

/** What an execution was given, for the form of these inputs; where it was given nothing, their defaults. */
export const valuesGiven = (
  inputs: readonly Input[],
  given: Readonly<Record<string, unknown>> | undefined,
): InputValues =>
  Object.fromEntries(inputs.map((input) => [input.id, valueGiven(input, given) ?? initialValue(input)]));

function valueGiven(input: Input, given: Readonly<Record<string, unknown>> | undefined): InputValue {
  // A secret is not told again.
  if (input.type === 'SECRET') return undefined;
  // `a.b` is kept as b inside a.
  const value = input.id
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], given);
  return asInputValue(input, value);
}

/** One multipart field per given input; files travel as parts named `files` with the input's id as file name. */
export function toFormData(values: InputValues): FormData {
  const form = new FormData();
  for (const [id, value] of Object.entries(values)) {
    if (value === undefined || value === '') continue;
    if (value instanceof File) form.append('files', value, id);
    else form.append(id, Array.isArray(value) ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** A text that differs whenever the values differ, for cache keys. */
export const fingerprint = (values: InputValues): string =>
  JSON.stringify(values, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );
