import '@mantine/dates/styles.layer.css';
import { DateTimePicker } from '@mantine/dates';
import { instantToLocal, localToInstant } from '../../../format/wallClock.ts';
import { CodeInput } from './code.tsx';
import type { WidgetProps } from './widgetProps.ts';

/** A moment is picked; what is no moment, an expression above all, is written. */
export function DateTimeWidget(props: WidgetProps<'dateTime'>) {
  const { value, error, isReadOnly, onChange, control } = props;
  const isMoment = value === undefined || value === null || !Number.isNaN(Date.parse(String(value)));
  if (!isMoment) {
    return (
      <CodeInput
        control={control}
        error={error}
        isReadOnly={isReadOnly}
        text={String(value)}
        onText={onChange}
      />
    );
  }
  return (
    <DateTimePicker
      {...control}
      maw={260}
      withSeconds
      clearable={!isReadOnly}
      error={error}
      readOnly={isReadOnly}
      value={value === undefined || value === null ? null : instantToLocal(String(value))}
      onChange={(next) => onChange(next === null ? undefined : localToInstant(next))}
    />
  );
}
