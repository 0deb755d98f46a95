import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readStored } from '../storage/storage.ts';
import en from './en.json';
import { chooseLocale, isLocale, languageTag } from './locales.ts';

/** One JSON file per locale beside this one. English is bundled because it is also the fallback; the rest load on demand. */
const lazyLocales = import.meta.glob<{ default: typeof en }>(['./*.json', '!./en.json']);

export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  await changeLocale(readStored('lang') ?? chooseLocale(navigator.languages));
}

/**
 * Loads a locale's texts, then switches to it. `i18next.language` is the tag that the platform's own formats take. An
 * unknown locale leaves the language as it is.
 */
export async function changeLocale(locale: string): Promise<void> {
  if (!isLocale(locale)) return;
  const tag = languageTag(locale);
  if (!i18next.hasResourceBundle(tag, 'translation')) {
    const load = lazyLocales[`./${locale}.json`];
    if (!load) return;
    i18next.addResourceBundle(tag, 'translation', (await load()).default);
  }
  if (tag !== i18next.language) await i18next.changeLanguage(tag);
  document.documentElement.lang = tag;
}
