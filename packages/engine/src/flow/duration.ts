const iso =
  /^([-+]?)P(?:(\d+)W)?(?:([-+]?\d+)D)?(?:T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+)(?:[.,](\d{1,9}))?S)?)?$/i;

/**
 * Milliseconds of an ISO-8601 duration such as `PT1M30S` or `P1D`, in any case of letters; undefined for anything
 * else. Years and months have no fixed length and are refused.
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
