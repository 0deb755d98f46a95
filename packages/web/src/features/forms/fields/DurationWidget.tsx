import { Hint } from '../../../ui/Hint.tsx';
import '@mantine/dates/styles.layer.css';
import { ActionIcon } from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import { formatDuration, parseDuration } from '@millrace/engine';
import { IconClockHour4, IconForms } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { WidgetProps } from '../FormHost.ts';
import { CodeInput } from './code.tsx';
import styles from './fields.module.css';
import { showDefault } from './scalars.tsx';

/** Hours, minutes and seconds are picked; days, fractions and what is no duration at all are written. */
export function DurationWidget(props: WidgetProps<'duration'>) {
  const { field, name, value, error, isReadOnly, onChange, control } = props;
  const { t } = useTranslation();
  const [wantsText, setWantsText] = useState(false);
  const clock = toClock(value);
  const isText = wantsText || clock === undefined;
  const label = control['aria-label'] ?? name;
  return (
    <div className={styles.duration}>
      {isText ? (
        <CodeInput
          control={{ ...control, 'aria-label': label }}
          width={220}
          placeholder={showDefault(field.schema) || 'PT1H30M'}
          error={error}
          isReadOnly={isReadOnly}
          text={value === undefined || value === null ? '' : String(value)}
          onText={onChange}
        />
      ) : (
        <TimePicker
          type="duration"
          withSeconds
          w={220}
          classNames={{ field: styles.code ?? '' }}
          hoursInputLabel={t('form.hours', { name: label })}
          minutesInputLabel={t('form.minutes', { name: label })}
          secondsInputLabel={t('form.seconds', { name: label })}
          error={error}
          readOnly={isReadOnly}
          value={clock}
          onChange={(next) => {
            const iso = fromClock(next);
            if (iso !== undefined) onChange(iso);
          }}
        />
      )}
      {clock !== undefined && !isReadOnly && (
        <Hint label={t(isText ? 'form.pickDuration' : 'form.writeDuration')}>
          <ActionIcon
            aria-label={t(isText ? 'form.pickDuration' : 'form.writeDuration')}
            onClick={() => setWantsText(!isText)}
          >
            {isText ? <IconClockHour4 size={16} /> : <IconForms size={16} />}
          </ActionIcon>
        </Hint>
      )}
    </div>
  );
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `PT1H30M` as `01:30:00`; undefined when a clock with seconds cannot say the same. */
export function toClock(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return '';
  const ms = typeof value === 'string' && !/[dw]/i.test(value) ? parseDuration(value) : undefined;
  if (ms === undefined || ms < 0 || ms % 1000 !== 0) return undefined;
  const seconds = ms / 1000;
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The other way round; undefined while a part is still missing. */
export function fromClock(clock: string): string | undefined {
  const found = /^(\d+):(\d{1,2}):(\d{1,2})$/.exec(clock);
  if (!found) return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = found;
  return formatDuration((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}
