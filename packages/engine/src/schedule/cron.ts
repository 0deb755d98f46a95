/** A parsed cron expression: which values of each field match. */
export interface Cron {
  readonly seconds: readonly boolean[];
  readonly minutes: readonly boolean[];
  readonly hours: readonly boolean[];
  readonly days: readonly boolean[];
  readonly months: readonly boolean[];
  readonly weekdays: readonly boolean[];
  /** With both restricted a date matches by either; with one, by that one. */
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
  /** Runs in every hour: it follows the clock through a change of offset instead of keeping to a time of day. */
  readonly anyHour: boolean;
}

export class CronError extends Error {}

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

interface Field {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Names of the values, the first one for `first`. */
  readonly names?: readonly string[];
}

const secondField: Field = { name: 'second', first: 0, last: 59 };
const fields: readonly Field[] = [
  { name: 'minute', first: 0, last: 59 },
  { name: 'hour', first: 0, last: 23 },
  { name: 'day of month', first: 1, last: 31 },
  { name: 'month', first: 1, last: 12, names: monthNames },
  { name: 'day of week', first: 0, last: 7, names: dayNames },
];

/**
 * Five fields, or six with leading seconds, or a nickname. Throws a CronError that quotes the unreadable
 * part.
 */
export function parseCron(expression: string, withSeconds = false): Cron {
  const text = expression.trim();
  const nickname = nicknames.get(text.toLowerCase());
  if (text.startsWith('@') && nickname === undefined) {
    throw new CronError(`"${text}" is not a known nickname; known are ${[...nicknames.keys()].join(' ')}`);
  }
  const parts = (nickname ?? text).split(/\s+/);
  const timed = withSeconds && nickname === undefined;
  const wanted = timed ? 6 : 5;
  if (parts.length !== wanted) {
    throw new CronError(`"${text}" has ${parts.length} fields; expected ${wanted}`);
  }
  const seconds = timed ? (parts.shift() ?? '') : '0';
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = parts;
  const read = (part: string, index: number) => readField(part, fields[index] ?? secondField, text);
  const weekdayMatches = read(weekdays, 4);
  // 0 and 7 are both Sunday.
  if (weekdayMatches[7]) weekdayMatches[0] = true;
  return {
    seconds: readField(seconds, secondField, text),
    minutes: read(minutes, 0),
    hours: read(hours, 1),
    days: read(days, 2),
    months: read(months, 3),
    weekdays: weekdayMatches,
    anyDay: isAny(days),
    anyWeekday: isAny(weekdays),
    anyHour: isAny(hours),
  };
}

const isAny = (part: string): boolean => part === '*' || part === '?';

function readField(part: string, field: Field, expression: string): boolean[] {
  const matches = new Array<boolean>(field.last + 1).fill(false);
  const fail = (reason: string): never => {
    throw new CronError(`"${part}" is not a valid ${field.name} in "${expression}": ${reason}`);
  };
  if (part.length > 400) fail('it is too long');
  for (const item of part.split(',')) {
    const found = /^(?:([*?])|([0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?)(?:\/(\d+))?$/.exec(item);
    if (!found) return fail('expected *, a number, a range a-b or a step such as */5');
    const [, any, low, high, stepText] = found;
    const step = stepText === undefined ? 1 : Number(stepText);
    if (step < 1) fail('a step is at least 1');
    const from = any ? field.first : readValue(low ?? '', field, fail);
    // "5/10" starts at 5 and continues to the end of the field.
    const open = any !== undefined || (high === undefined && stepText !== undefined);
    const to = open ? field.last : high === undefined ? from : readValue(high, field, fail);
    if (from > to) fail(`the range ${from}-${to} runs backwards`);
    for (let value = from; value <= to; value += step) matches[value] = true;
  }
  return matches;
}

function readValue(text: string, field: Field, fail: (reason: string) => never): number {
  const named = field.names?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return named + field.first;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= field.first && value <= field.last) return value;
  return fail(`"${text}" is not between ${field.first} and ${field.last}`);
}
