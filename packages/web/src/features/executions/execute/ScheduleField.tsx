import '@mantine/dates/styles.css';
import { DateTimePicker } from '@mantine/dates';
import { useState } from 'react';
import { localToInstant } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';

/** A moment to start at, as the wall clock of the settings shows it. */
export function ScheduleField({ onChange }: { onChange: (moment: string | undefined) => void }) {
  const { t } = useTranslation();
  const [local, setLocal] = useState<string | null>(null);
  return (
    <DateTimePicker
      label={t('execute.schedule')}
      value={local}
      clearable
      onChange={(next) => {
        setLocal(next);
        onChange(next === null ? undefined : localToInstant(next));
      }}
    />
  );
}
