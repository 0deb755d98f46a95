import i18next from 'i18next';
import { readStored } from '../storage/storage.ts';
import type en from './en.json';
import { chooseLocale, isLocale, type Locale, languageTag } from './locales.ts';

/** One JSON file per locale beside this one; each is loaded when it is first wanted. */
const texts = import.meta.glob<{ default: typeof en }>('./*.json');

export async function startI18n(): Promise<void> {
  const stored = readStored('lang') ?? '';
  const locale = isLocale(stored) ? stored : chooseLocale(navigator.languages);
  // Asked for before anything else is: nothing shows without them.
  texts[`./${locale}.json`]?.().catch(() => undefined);
  await i18next.init({
    lng: 'en',
    fallbackLng: 'en',
    resources: {},
    interpolation: { escapeValue: false },
  });
  await changeLocale(locale);
  // Stands in for a text that a language may lack. No page waits for it.
  if (i18next.language !== 'en') void load('en');
}

/**
 * Loads a locale's texts, then switches to it. `i18next.language` is the tag that the platform's own formats take. An
 * unknown locale leaves the language as it is.
 */
export async function changeLocale(locale: string): Promise<void> {
  if (!isLocale(locale)) return;
  const tag = languageTag(locale);
  await load(locale);
  if (tag !== i18next.language) await i18next.changeLanguage(tag);
  document.documentElement.lang = tag;
}

async function load(locale: Locale): Promise<void> {
  const tag = languageTag(locale);
  if (i18next.hasResourceBundle(tag, 'translation')) return;
  const file = await texts[`./${locale}.json`]?.();
  if (file) i18next.addResourceBundle(tag, 'translation', file.default);
}
