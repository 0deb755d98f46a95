import { TextInput, type TextInputProps } from '@mantine/core';
import { instantToLocal, localToInstant, shownTimeZone } from '../../format/timeZone.ts';

interface DateFieldProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange'> {
  type: 'DATE' | 'TIME' | 'DATETIME';
  /** `2026-03-01`, `10:00:00` or a moment; empty when nothing is chosen. */
  text: string;
  onText: (text: string) => void;
}

const pickers = { DATE: 'date', TIME: 'time', DATETIME: 'datetime-local' } as const;

/** A date, a time of day or a moment, with the picker of the browser. A text that the picker cannot show is edited as text. */
export function DateField({ type, text, onText, description, ...rest }: DateFieldProps) {
  const shown = toPicker(type, text);
  if (shown === undefined)
    return (
      <TextInput
        {...rest}
        description={description}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...rest}
      // The picker speaks of the wall clock, so the field says which one.
      description={
        type === 'DATETIME' ? [description, shownTimeZone()].filter(Boolean).join(' · ') : description
      }
      type={pickers[type]}
      {...(type !== 'DATE' && { step: 1 })}
      value={shown}
      onChange={({ currentTarget: { value } }) =>
        onText(type === 'DATETIME' && value !== '' ? localToInstant(value) : value)
      }
    />
  );
}

/** The text as the picker wants it; undefined when the picker would show nothing for it. */
export function toPicker(type: DateFieldProps['type'], text: string): string | undefined {
  if (text === '') return '';
  switch (type) {
    case 'DATE':
      return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
    case 'TIME':
      return /^\d\d:\d\d(:\d\d)?$/.test(text) ? text : undefined;
    case 'DATETIME':
      return Number.isNaN(Date.parse(text)) ? undefined : instantToLocal(text).replace(' ', 'T');
  }
}
