import { browserTimeZone } from '../../format/timeZone.ts';

/** Every time zone with how far it is from UTC at this moment, from west to east. */
export function timeZones(now: Date): { value: string; label: string }[] {
  const names = new Set(['UTC', browserTimeZone(), ...Intl.supportedValuesOf('timeZone')]);
  return [...names]
    .map((value) => ({ value, offset: offsetOf(value, now) }))
    .sort((a, b) => minutesOf(a.offset) - minutesOf(b.offset) || (a.value < b.value ? -1 : 1))
    .map(({ value, offset }) => ({ value, label: `${value} (${offset})` }));
}

/** `+05:30`. */
function offsetOf(timeZone: string, now: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name.replace('GMT', '') || '+00:00';
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
