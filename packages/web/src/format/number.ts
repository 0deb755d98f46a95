import i18next from 'i18next';

type TimeUnit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

/** The language that was chosen in the product; the browser's own may be another. */
const language = (): string => i18next.language || 'en';

export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(language(), options);

/** An amount of time: in English with a short sign, in every other language as that one shortens it. */
export function formatTime(value: number, unit: TimeUnit, sign: string, digits?: number): string {
  const locale = language();
  return locale === 'en'
    ? `${digits === undefined ? value : value.toFixed(digits)} ${sign}`
    : formatIn(locale, unit, digits).format(value);
}

/** Durations tick in many rows at once, and a format is dear to make. */
const formats = new Map<string, Intl.NumberFormat>();

function formatIn(locale: string, unit: TimeUnit, digits: number | undefined): Intl.NumberFormat {
  const key = `${locale} ${unit} ${digits}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  formats.set(key, made);
  return made;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size as people say it: 25 B, 1.2 MB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  const digits = value < 10 && power > 0 ? 1 : 0;
  return `${formatNumber(value, { maximumFractionDigits: digits })} ${units[power]}`;
}
