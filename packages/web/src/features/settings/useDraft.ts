import { useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { changeLocale } from '../../i18n/i18n.ts';
import { isLocale, type Locale } from '../../i18n/locales.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import {
  readSetting,
  type SettingName,
  type SettingValue,
  settings,
  writeSetting,
} from '../../storage/settings.ts';
import { writeStored } from '../../storage/storage.ts';

type Values = { readonly [Name in SettingName]: SettingValue<Name> } & { readonly lang: Locale };

/** The settings as they are shown: what is stored, with the changes that wait for the save button. */
export interface Draft {
  readonly values: Values;
  readonly isDirty: boolean;
  set<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  save(): Promise<void>;
  reset(): void;
}

export function useDraft(): Draft {
  const { i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [changes, setChanges] = useState<Partial<Values>>({});
  const [kept, setKept] = useState(() => readAll(i18n.language));
  // The theme can be switched beside this page too.
  const stored = { ...kept, theme: colorScheme };

  return {
    values: { ...stored, ...changes },
    isDirty: Object.entries(changes).some(([name, value]) => stored[name as keyof Values] !== value),
    set: (name, value) => setChanges((old) => ({ ...old, [name]: value })),
    reset: () => setChanges({}),
    save: async () => {
      for (const [name, value] of Object.entries(changes)) {
        if (name === 'lang') continue;
        // The names and values come from `Values`, which ties them together.
        writeSetting(name as SettingName, value as never);
      }
      if (changes.theme) setColorScheme(changes.theme);
      if (changes.lang) {
        writeStored('lang', changes.lang);
        await changeLocale(changes.lang);
      }
      setKept({ ...kept, ...changes });
      setChanges({});
    },
  };
}

function readAll(language: string): Values {
  const names = Object.keys(settings) as SettingName[];
  const lang = language.replace('-', '_');
  return {
    ...Object.fromEntries(names.map((name) => [name, readSetting(name)])),
    lang: isLocale(lang) ? lang : 'en',
  } as Values; // Built name by name from the same table.
}
