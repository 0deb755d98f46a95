import type { Input } from '@millrace/contract';

/** What a field of the form holds. Undefined and empty text are "not given". */
export type InputValue = string | number | boolean | string[] | File | undefined;
export type InputValues = Readonly<Record<string, InputValue>>;

/** Defaults that are plain values appear in the form; expressions stay with the server. */
export function initialValue(input: Input): InputValue {
  const { defaults } = input;
  if (typeof defaults === 'string') return defaults.includes('{{') ? undefined : defaults;
  if (typeof defaults === 'number' || typeof defaults === 'boolean') return defaults;
  if (defaults === undefined || defaults === null) return undefined;
  if (input.type === 'MULTISELECT' && Array.isArray(defaults)) return defaults.map(String);
  return JSON.stringify(defaults, undefined, 2);
}

export const initialValues = (inputs: readonly Input[]): InputValues =>
  Object.fromEntries(inputs.map((input) => [input.id, initialValue(input)]));

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
