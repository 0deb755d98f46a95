import { inZone, localDateTime, localTime, withZone } from '../base/dateTexts.js';
import { doubleValue, exactNumber, withScale } from '../base/exactNumber.js';

const moneyScale = 4;

/** The driver returns decimals as numbers; above this number of digits their last ones are rounded. */
const exactDigits = 15;

/** A date of the driver, with the precision that JavaScript dates lack. */
interface PreciseDate extends Date {
  readonly nanosecondsDelta?: number;
}

/** How values of a column are read, by the name of its type in the driver. */
export function readerOf(type: string, zone: string, scale = 0): (value: unknown) => unknown {
  if (type === 'BigInt') return (value) => exactNumber(String(value));
  const decimals = /^(Decimal|Numeric)/.test(type) ? scale : /Money/.test(type) ? moneyScale : 0;
  if (decimals > 0)
    return (value) =>
      Math.abs(Number(value)) < 10 ** (exactDigits - decimals)
        ? exactNumber(withScale(String(value), decimals))
        : value;
  return (value) => {
    if (value instanceof Date) return dateText(value, type, zone);
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    return typeof value === 'number' ? doubleValue(value) : value;
  };
}

function dateText(value: PreciseDate, type: string, zone: string): string {
  const iso = value.toISOString();
  const nanos = Math.round((value.nanosecondsDelta ?? 0) * 1e9);
  // The driver returns the digits below a millisecond separately.
  const text = nanos === 0 ? iso : iso.replace('Z', `${String(nanos).padStart(6, '0').slice(0, 6)}Z`);
  if (type === 'Date') return iso.slice(0, 10);
  if (type === 'Time') return localTime(text.slice(11, -1));
  if (type === 'DateTimeOffset') return inZone(text, zone);
  return withZone(localDateTime(text.slice(0, -1)), zone);
}
