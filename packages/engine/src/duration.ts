const iso =
  /^([-+]?)P(?:(\d+)W)?(?:([-+]?\d+)D)?(?:T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+)(?:[.,](\d{1,9}))?S)?)?$/i;

/**
 * Milliseconds of an ISO-8601 duration such as `PT1M30S` or `P1D`, in upper or lower case; undefined for
 * anything else. Years and months have no fixed length and are refused.
 */
export function parseDuration(text: string): number | undefined {
  const found = iso.exec(text.trim());
  if (!found) return undefined;
  const [, sign, weeks, days, hours, minutes, seconds, fraction] = found;
  if ([weeks, days, hours, minutes, seconds].every((part) => part === undefined)) return undefined;
  if (/t$/i.test(text.trim())) return undefined;
  const part = Number(`0.${fraction ?? 0}`) * (seconds?.startsWith('-') ? -1 : 1);
  const total =
    Number(weeks ?? 0) * 604_800_000 +
    Number(days ?? 0) * 86_400_000 +
    Number(hours ?? 0) * 3_600_000 +
    Number(minutes ?? 0) * 60_000 +
    Math.round((Number(seconds ?? 0) + part) * 1000);
  return sign === '-' ? -total : total;
}

/** The milliseconds of a duration as flows write it: ISO 8601, or a number of seconds, also as text. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1000) : undefined;
  if (typeof value !== 'string') return undefined;
  return /^\s*\d+(\.\d+)?\s*$/.test(value) ? Math.round(Number(value) * 1000) : parseDuration(value);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** `PT1H2M3.004S`, the form every client reads; days are given as hours. */
export function formatDuration(ms: number): string {
  if (ms === 0) return 'PT0S';
  const sign = ms < 0 ? '-' : '';
  const total = Math.abs(Math.round(ms));
  const hours = Math.floor(total / hour);
  const minutes = Math.floor((total % hour) / minute);
  const seconds = (total % minute) / second;
  return `${sign}PT${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`;
}
