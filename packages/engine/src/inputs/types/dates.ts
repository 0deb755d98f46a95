import { formatDuration, parseDuration } from '../../duration.ts';
import { asText, expected, type InputRule, withinBounds } from './inputRule.ts';

const dateParts = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const timeParts = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?`;
const datePattern = new RegExp(`^${dateParts}$`);
const timePattern = new RegExp(`^${timeParts}$`);
const instantPattern = new RegExp(
  `^${dateParts}[Tt]${timeParts}([Zz]|[-+]\\d{2}:?\\d{2})(?:\\[[^\\]]*\\])?$`,
);

/** A moment: a date and time with an offset. It is kept in UTC. */
export const dateTime: InputRule = (value, input) => {
  const found = readInstant(asText(value).trim());
  if (!found) return expected('DATETIME');
  const reason = withinBounds(found.at, input, (bound) => readInstant(bound)?.at, ['after', 'before']);
  return reason ? { reason } : { value: found.text };
};

export const date: InputRule = (value, input) => {
  const text = asText(value).trim();
  const at = readDate(text);
  if (at === undefined) return expected('DATE');
  const reason = withinBounds(at, input, readDate, ['after', 'before']);
  return reason ? { reason } : { value: text };
};

/** A time of day; seconds are printed only when there are some. */
export const time: InputRule = (value, input) => {
  const found = readTime(timePattern.exec(asText(value).trim())?.slice(1));
  if (!found) return expected('TIME');
  const measure = (bound: string) => readTime(timePattern.exec(bound)?.slice(1))?.at;
  const reason = withinBounds(found.at, input, measure, ['after', 'before']);
  return reason ? { reason } : { value: found.text };
};

export const duration: InputRule = (value, input) => {
  const ms = parseDuration(asText(value));
  if (ms === undefined) return expected('DURATION');
  const reason = withinBounds(ms, input, parseDuration, ['min', 'max']);
  return reason ? { reason } : { value: formatDuration(ms) };
};

function readDate(text: string): number | undefined {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // 31 February would silently become 3 March.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
    ? date.getTime()
    : undefined;
}

function readTime(
  parts: readonly (string | undefined)[] | undefined,
): { at: number; text: string } | undefined {
  if (!parts) return undefined;
  const [hour, minute, second = '00', fraction = ''] = parts;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const tail = fraction.replace(/0+$/, '');
  const seconds = tail ? `:${second}.${tail}` : second === '00' ? '' : `:${second}`;
  const at = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(`${second}.${fraction || 0}`) * 1000;
  return { at, text: `${hour}:${minute}${seconds}` };
}

function readInstant(text: string): { at: number; text: string } | undefined {
  const found = instantPattern.exec(text);
  if (!found) return undefined;
  const day = readDate(text.slice(0, 10));
  const clock = readTime(found.slice(4, 8));
  if (day === undefined || !clock) return undefined;
  const at = day + clock.at - readOffset(found[8] ?? 'Z');
  const fraction = (found[7] ?? '').replace(/0+$/, '');
  const whole = new Date(Math.floor(at / 1000) * 1000).toISOString().slice(0, 19);
  return { at, text: `${whole}${fraction ? `.${fraction}` : ''}Z` };
}

function readOffset(text: string): number {
  const found = /^([-+])(\d{2}):?(\d{2})$/.exec(text);
  if (!found) return 0;
  const ms = (Number(found[2]) * 60 + Number(found[3])) * 60_000;
  return found[1] === '-' ? -ms : ms;
}
