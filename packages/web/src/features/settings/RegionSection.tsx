import { Select } from '@mantine/core';
import { useState } from 'react';
import { dateFormats, writeDate } from '../../format/dateFormats.ts';
import { browserTimeZone } from '../../format/timeZone.ts';
import { type Locale, locales } from '../../i18n/locales.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Choice, closedIsAbsent, SettingsSection } from './SettingsSection.tsx';
import type { Draft } from './useDraft.ts';

/** Language, time zone and date format. */
export function RegionSection({ draft }: { draft: Draft }) {
  const { t, i18n } = useTranslation();
  const { values, set } = draft;
  const [now] = useState(() => new Date());
  const [isChoosing, setChoosing] = useState(false);
  const timeZone = values.timeZone || browserTimeZone();
  return (
    <SettingsSection title={t('settings.region')} note={t('settings.regionNote')}>
      <Choice
        label={t('settings.language')}
        options={Object.keys(locales) as Locale[]} // The keys of this very object.
        name={(locale) => locales[locale]}
        value={values.lang}
        onChange={(value) => set('lang', value)}
      />
      <Select
        label={t('settings.timeZone')}
        // About four hundred names: they are built when the user opens the list.
        data={isChoosing ? timeZones(now) : [timeZone]}
        onDropdownOpen={() => setChoosing(true)}
        value={timeZone}
        onChange={(value) => set('timeZone', !value || value === browserTimeZone() ? '' : value)}
        limit={100}
        comboboxProps={closedIsAbsent}
        searchable
        allowDeselect={false}
      />
      <Choice
        label={t('settings.dateFormat')}
        options={dateFormats}
        name={(format) => writeDate(now, { format, timeZone, locale: i18n.language })}
        value={values.dateFormat}
        onChange={(value) => set('dateFormat', value)}
      />
    </SettingsSection>
  );
}

/** Every time zone with how far it is from UTC at this moment, from west to east. */
export function timeZones(now: Date): { value: string; label: string }[] {
  const names = new Set(['UTC', browserTimeZone(), ...Intl.supportedValuesOf('timeZone')]);
  return [...names]
    .map((value) => ({ value, offset: offsetOf(value, now) }))
    .sort((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || (a.value < b.value ? -1 : 1))
    .map(({ value, offset }) => ({ value, label: `${value} (${offset})` }));
}

/** `+05:30`. */
function offsetOf(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
