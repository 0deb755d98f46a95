/** The languages of the product by their file name, each with its own name for itself. */
export const locales = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  pl: 'Polski',
  pt: 'Português',
  ru: 'Русский',
  zh_CN: '简体中文',
} as const;

export type Locale = keyof typeof locales;

export const isLocale = (value: string): value is Locale => Object.hasOwn(locales, value);

/** Files and stored settings write `zh_CN`; the platform wants `zh-CN`. */
export const languageTag = (locale: string): string => locale.replace('_', '-');

/** The first of the browser's languages that the product speaks: `fr-CA` is French, every Chinese is `zh_CN`. */
export function chooseLocale(languages: readonly string[]): Locale {
  for (const language of languages) {
    const base = language.toLowerCase().split('-')[0] ?? '';
    const wanted = base === 'zh' ? 'zh_CN' : base;
    if (isLocale(wanted)) return wanted;
  }
  return 'en';
}
