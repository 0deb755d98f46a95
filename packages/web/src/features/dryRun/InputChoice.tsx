import { NativeSelect, TextInput } from '@mantine/core';

interface InputChoiceProps {
  readonly id: string;
  readonly type: string;
  /** What the input can be, when that is known. */
  readonly options: readonly string[] | undefined;
  /** Says what an empty choice stands for. */
  readonly placeholder: string;
  readonly value: string;
  onChange(value: string): void;
}

/** The value of one input of a dry run or of the playground; an empty one is not chosen. */
export function InputChoice({ id, type, options, placeholder, value, onChange }: InputChoiceProps) {
  // A field for dates shows no placeholder.
  const description = type === 'DATE' ? `${type} · ${placeholder}` : type;
  const common = { size: 'xs', label: id, description, value } as const;
  if (!options)
    return (
      <TextInput
        {...common}
        {...(type === 'DATE' && { type: 'date' })}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  // A value that was chosen before the options changed stays in sight.
  const isGone = value !== '' && !options.includes(value);
  return (
    <NativeSelect
      {...common}
      data={[{ value: '', label: placeholder }, ...options, ...(isGone ? [value] : [])]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
