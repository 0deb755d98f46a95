import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readStored } from '../storage/storage.ts';
import en from './en.json';

/** One JSON file per locale beside this one. English is bundled because it is also the fallback; the rest load on demand. */
const lazyLocales = import.meta.glob<{ default: typeof en }>(['./*.json', '!./en.json']);

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  await changeLocale(readStored('lang') ?? 'en');
}

/** Loads a locale's texts, then switches to it. An unknown locale leaves the language as it is. */
export async function changeLocale(locale: string): Promise<void> {
  if (locale === i18next.language) return;
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    const load = lazyLocales[`./${locale}.json`];
    if (!load) return;
    i18next.addResourceBundle(locale, 'translation', (await load()).default);
  }
  await i18next.changeLanguage(locale);
  document.documentElement.lang = locale.replace('_', '-');
}
