const pattern = /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,9}))?S)?)?$/i;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Milliseconds of an ISO 8601 duration such as `PT1M30S` or `P7D`; `undefined` when it is none.
 * Months and years have no fixed length and are refused.
 */
export function parseDuration(text: string): number | undefined {
  const found = pattern.exec(text.trim());
  if (!found || /[PT]$/i.test(text.trim())) return undefined;
  const part = (index: number) => Number(found[index] ?? 0);
  const fraction = Number(`0.${found[7] ?? 0}`) * second;
  const total = part(2) * 7 * day + part(3) * day + part(4) * hour + part(5) * minute + part(6) * second;
  return (found[1] === '-' ? -1 : 1) * (total + fraction);
}

/** The shortest ISO 8601 text in hours, minutes and seconds: `PT26H3.5S`. */
export function formatDuration(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const rest = Math.abs(ms);
  const hours = Math.floor(rest / hour);
  const minutes = Math.floor((rest % hour) / minute);
  const seconds = (rest % minute) / second;
  const time = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${seconds ? `${seconds}S` : ''}`;
  return `${sign}PT${time || '0S'}`;
}
