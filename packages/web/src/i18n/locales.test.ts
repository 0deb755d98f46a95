import { describe, expect, it } from 'vitest';
import { readSourceTexts } from '../testing/sourceTexts.ts';
import { chooseLocale, languageTag, locales } from './locales.ts';

type Texts = { readonly [key: string]: string | Texts };

const files = import.meta.glob<Texts>('./*.json', { eager: true, import: 'default' });
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../testing/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

const flatten = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
const textsOf = (locale: string) => new Map(flatten(files[`./${locale}.json`] ?? {}));
const plural = /_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(plural, '');
const english = textsOf('en');
const pluralBases = new Set([...english.keys()].filter((key) => plural.test(key)).map(baseOf));

/** The keys a language must have: those of English, with the plural forms that its own grammar knows. */
function wantedKeys(locale: string): string[] {
  const forms = new Intl.PluralRules(languageTag(locale)).resolvedOptions().pluralCategories;
  const plain = [...english.keys()].filter((key) => !pluralBases.has(baseOf(key)));
  return [...plain, ...[...pluralBases].flatMap((base) => forms.map((form) => `${base}_${form}`))].sort();
}

/** Values and tags that a text is given; a translation that drops one loses what it is about. */
const slotsOf = (text: string) => [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+ ?\/?>/g))].sort();

/** Words for which a language has another one: a German task is an "Aufgabe", and the user is "Sie". */
const wrongWords: Record<string, RegExp> = {
  de: /\bTasks?\b(?!-Runner)|\bTask-L|Trigger|Namespace\b|Geheimnis|\b(du|dir|dich|deine?[mnrs]?)\b/i,
  es: /\b(flows?|triggers?|namespaces?|tus?)\b/i,
  fr: /\b(flows?|triggers?|namespaces?)\b/i,
  hi: /कार्य रन|फ्लो|रिवीज़न|\bflows?\b/i,
  it: /\b(flows?|tasks?)\b/i,
  ja: /ネームスペース|ワークフロー|\bflows?\b/i,
  ko: /플로(?!우)|이름공간|\bflows?\b/i,
  pl: /\b(flows?|triggery?)\b/i,
  pt: /\b(flows?|triggers?|ficheiros?|registos?|guardar|eliminar)\b/i,
  ru: /флоу|\bflows?\b|(?<!\p{L})лог(и|а|е|ов)?(?!\p{L})/iu,
  zh_CN: /工作流|修订版(?!本)|您|\bflows?\b/i,
};

describe.each(Object.keys(locales))('[S1-2.5.2] the texts in %s', (locale) => {
  const texts = textsOf(locale);

  it('are complete, and there are no others', () => {
    expect([...texts.keys()].sort()).toEqual(wantedKeys(locale));
  });

  it('use the values they are given', () => {
    const wrong = [...texts].filter(([key, text]) => {
      const forms = [key, `${baseOf(key)}_other`]
        .map((name) => english.get(name))
        .filter((form) => form !== undefined);
      // The form for one may say the number in words.
      const optional = plural.test(key) ? ['{{count}}', '{{count, number}}'] : [];
      const given = slotsOf(text).filter((slot) => !optional.includes(slot));
      return !forms.some(
        (form) =>
          JSON.stringify(slotsOf(form).filter((slot) => !optional.includes(slot))) === JSON.stringify(given),
      );
    });
    expect(wrong).toEqual([]);
  });

  it.skipIf(locale === 'en')('are translated', () => {
    const words = (text: string) => text.replace(/\{\{[^}]+\}\}|<[^>]*>/g, '').match(/\p{L}+/gu)?.length ?? 0;
    const same = [...texts].filter(([key, text]) => english.get(key) === text && words(text) > 3);
    expect(same).toEqual([]);
  });

  it.skipIf(!wrongWords[locale])('use one word for each term', () => {
    const wrong = wrongWords[locale];
    expect([...texts].filter(([, text]) => wrong?.test(text.replace(/\{\{[^}]+\}\}|<[^>]*>/g, '')))).toEqual(
      [],
    );
  });
});

describe('the sources', () => {
  const read = Object.entries(sources).map(([file, code]) => ({ file, ...readSourceTexts(file, code) }));
  const texts = new Set(read.flatMap((source) => source.texts));
  const patterns = [...new Set(read.flatMap((source) => source.patterns))]
    .filter((pattern) => /^[\w.*]+$/.test(pattern) && pattern.includes('.'))
    .map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[\\w.-]+')}$`));

  it('use every text that there is', () => {
    const isUsed = (key: string) => texts.has(key) || patterns.some((pattern) => pattern.test(key));
    const unused = [...english.keys()].filter((key) => !isUsed(key) && !isUsed(baseOf(key)));
    expect(unused).toEqual([]);
  });

  it('contain no text outside the catalogs', () => {
    expect(read.filter(({ shown }) => shown.length > 0).map(({ file, shown }) => [file, shown])).toEqual([]);
  });
});

it.each([
  [['fr-CA', 'en'], 'fr'],
  [['zh-TW'], 'zh_CN'],
  [['nl', 'pt-BR'], 'pt'],
  [['nl'], 'en'],
  [[], 'en'],
])('of the browser languages %j it takes %s', (languages, locale) => {
  expect(chooseLocale(languages)).toBe(locale);
});
