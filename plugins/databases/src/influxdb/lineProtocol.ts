import { Decimal, Instant, Real, Temporal } from '@millrace/expression';
import { TaskFailed } from '@millrace/plugin-kit';

interface Shape {
  readonly measurement: string;
  readonly tags: readonly string[];
  readonly timeField?: string | undefined;
}

/** One row as a line of line protocol: `measurement,tag=value field=1i 1700000000000000000`. */
export function toLine(
  row: Readonly<Record<string, unknown>>,
  { measurement, tags, timeField }: Shape,
): string {
  let head = escaped(measurement, /[ ,\\]/g);
  for (const name of tags) {
    const value = row[name];
    if (value !== undefined && value !== null && value !== '')
      head += `,${escaped(name, /[ ,=\\]/g)}=${escaped(plainText(value), /[ ,=\\]/g)}`;
  }
  const fields = Object.entries(row)
    .filter(([name, value]) => !tags.includes(name) && name !== timeField && value !== null)
    .map(([name, value]) => `${escaped(name, /[ ,=\\]/g)}=${fieldText(value)}`);
  if (fields.length === 0)
    throw new TaskFailed(`A row has no field: ${JSON.stringify(row).slice(0, 200)}`, { retry: false });
  const time = timeField === undefined ? undefined : row[timeField];
  const line = `${head} ${fields.join(',')}`;
  return time === undefined || time === null ? line : `${line} ${toNanoseconds(time)}`;
}

const escaped = (text: string, special: RegExp): string =>
  text.replace(/\r?\n/g, ' ').replace(special, (character) => `\\${character}`);

function fieldText(value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `${value}i`;
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}i` : String(value);
  if (value instanceof Real) return String(value.value);
  if (value instanceof Decimal) return String(value);
  return `"${plainText(value).replace(/["\\]/g, (character) => `\\${character}`)}"`;
}

function plainText(value: unknown): string {
  if (value instanceof Real) return String(value.value);
  if (value instanceof Temporal || value instanceof Decimal) return String(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const perMillisecond = 1_000_000n;

function toNanoseconds(value: unknown): string {
  if (value instanceof Instant)
    return String(BigInt(value.epochSecond) * 1_000_000_000n + BigInt(value.nano));
  if (typeof value === 'number' || typeof value === 'bigint' || /^-?\d+$/.test(String(value)))
    return String(value);
  const text = String(value);
  // A date without a zone is UTC, as everywhere in Millrace.
  const milliseconds = Date.parse(
    /\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text}Z` : text,
  );
  if (Number.isNaN(milliseconds))
    throw new TaskFailed(`"${text}" is not a time; expected an ISO date or nanoseconds.`, { retry: false });
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const fine = BigInt(fraction.padEnd(9, '0').slice(3, 9));
  return String(BigInt(milliseconds) * perMillisecond + fine);
}
