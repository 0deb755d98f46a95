import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateFormats, writeDate } from '../../../format/dateFormats.ts';
import { browserTimeZone } from '../../../format/timeZone.ts';
import { type Locale, locales } from '../../../i18n/locales.ts';
import { timeZones } from '../timeZones.ts';
import type { Draft } from '../useDraft.ts';
import { Choice, closedIsAbsent } from './Choice.tsx';
import { SettingsSection } from './SettingsSection.tsx';

/** In which words, hours and forms things are told. */
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
        // Some four hundred names: they are made when somebody wants to choose among them.
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
