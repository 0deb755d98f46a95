import i18next, { type i18n, type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';

interface Translation {
  readonly t: TFunction;
  readonly i18n: i18n;
}

let language: string | undefined;
let translation: Translation;

/**
 * The texts in the current language; renders again when the language changes. The hook of `react-i18next` copies the i18next
 * object in every component, and i18next resolves a key again for each row that shows it: together a tenth of the first
 * rendering of a list, and of a key in the editor. Here all components share one object for each language, which keeps the
 * texts that need no values.
 */
export const useTranslation = (): Translation => useSyncExternalStore(listen, current);

function listen(onChange: () => void): () => void {
  i18next.on('languageChanged', onChange);
  return () => i18next.off('languageChanged', onChange);
}

function current(): Translation {
  if (translation === undefined || language !== i18next.language) {
    language = i18next.language;
    translation = { t: keepingTexts(), i18n: i18next };
  }
  return translation;
}

function keepingTexts(): TFunction {
  const texts = new Map<string, string>();
  const translate = (key: string, values?: Record<string, unknown>): string => {
    if (values !== undefined) return i18next.t(key as never, values) as string; // `as`: typed by `TFunction` below.
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = i18next.t(key as never) as string;
    // A key without a text may get one from another language that is still on its way.
    if (text !== key) texts.set(key, text);
    return text;
  };
  return translate as TFunction; // `as`: the app passes one key and its values.
}
