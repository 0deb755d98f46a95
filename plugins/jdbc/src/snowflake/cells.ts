import { instant, localTime, withZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber, parseExactJson } from '../base/exactNumber.js';

/** The server's metadata of a column. */
export interface SnowflakeColumn {
  readonly name: string;
  readonly type: string;
}

const dayMs = 86_400_000;

/** `1769853630.500000000` as the date and time of that second, with its fraction. */
function clockOf(text: string): string {
  const [seconds = '0', fraction = ''] = text.split('.');
  // A time before 1970 counts its fraction down from the second.
  const isBefore = text.startsWith('-') && Number(fraction) > 0;
  const whole = Number(seconds) - (isBefore ? 1 : 0);
  const digits = isBefore
    ? String(10 ** fraction.length - Number(fraction)).padStart(fraction.length, '0')
    : fraction;
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}${digits === '' ? '' : `.${digits}`}`;
}

/** How values of a column are read: the server sends all of them as texts. */
export function readerOf({ type }: SnowflakeColumn, zone: string): (value: unknown) => unknown {
  switch (type.toLowerCase()) {
    case 'fixed':
      return (value) => exactNumber(String(value));
    case 'real':
      return (value) => doubleValue(Number(value));
    case 'boolean':
      return (value) => value === true || value === '1' || value === 'true';
    case 'date':
      return (value) => new Date(Number(value) * dayMs).toISOString().slice(0, 10);
    case 'time':
      return (value) => localTime(clockOf(String(value)).slice(11));
    case 'timestamp_ntz':
      return (value) => withZone(clockOf(String(value)), zone);
    case 'timestamp_ltz':
    case 'timestamp_tz':
      // The offset of the value follows the instant.
      return (value) => instant(clockOf(String(value).split(' ')[0] ?? ''));
    case 'binary':
      return (value) => Buffer.from(String(value), 'hex').toString('base64');
    case 'variant':
    case 'object':
    case 'array':
    case 'map':
    case 'geography':
    case 'geometry':
      return readJson;
    default:
      return (value) => value;
  }
}

function readJson(value: unknown): unknown {
  try {
    return parseExactJson(String(value));
  } catch {
    return value;
  }
}
