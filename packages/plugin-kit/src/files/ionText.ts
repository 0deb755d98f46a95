import { Decimal, Instant, LocalDate, Real, Temporal } from '@millrace/expression';

/**
 * One value as Ion text on one line. Doubles have an exponent and decimals a `d`, so that both keep their type; a value
 * without dates, decimals and bytes is JSON too.
 */
export function toIonText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return numberText(value);
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? 'null' : objectText(value);
    default:
      return 'null';
  }
}

function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21 && !Object.is(value, -0)) return String(value);
  return doubleText(value);
}

function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? '+inf' : '-inf';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('e') ? text : `${text}e0`;
}

function objectText(value: object): string {
  if (Array.isArray(value)) return `[${value.map(toIonText).join(',')}]`;
  if (value instanceof Date) return dateText(value);
  if (value instanceof Uint8Array) return `{{${Buffer.from(value).toString('base64')}}}`;
  if (value instanceof Real)
    return value.digits === undefined ? doubleText(value.value) : `${value.digits}e0`;
  if (value instanceof Decimal) return `${value}d0`;
  if (value instanceof Temporal) return temporalText(value);
  if (value instanceof Map) return structText(value);
  return 'toJSON' in value && typeof value.toJSON === 'function'
    ? toIonText(value.toJSON())
    : structText(Object.entries(value));
}

function structText(entries: Iterable<readonly [unknown, unknown]>): string {
  let text = '{';
  for (const [key, value] of entries)
    text += `${text === '{' ? '' : ','}${JSON.stringify(String(key))}:${toIonText(value)}`;
  return `${text}}`;
}

function dateText(value: Date): string {
  const milliseconds = value.getTime();
  if (Number.isNaN(milliseconds)) return 'null';
  const second = Math.floor(milliseconds / 1000);
  return temporalText(new Instant(second, (milliseconds - second * 1000) * 1_000_000));
}

function temporalText(value: Temporal): string {
  const text = value.toString();
  const isTimestamp = value instanceof Instant || value instanceof LocalDate;
  // Ion timestamps have four digits for the year.
  return isTimestamp && /^\d{4}-/.test(text) && !text.startsWith('0000')
    ? text
    : `${value.kind}::${JSON.stringify(text)}`;
}
