// Plain JavaScript, because the process of an embedded database starts without a compiler and uses it too.

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();
const quarterMs = 15 * 60_000;
let latest = { zone: '', quarter: Number.NaN, offsetMs: 0 };

/**
 * The offset of the zone from UTC at this instant. Offsets change on quarters of an hour, so neighbors share one.
 * @param {number} epochMs @param {string} zone
 */
function offsetAt(epochMs, zone) {
  if (zone === 'UTC' || zone === 'Z') return 0;
  // Node.js 20 does not support zones that are only an offset.
  if (/^[+-]/.test(zone)) return offsetOf(zone);
  const quarter = Math.floor(epochMs / quarterMs);
  if (latest.zone === zone && latest.quarter === quarter) return latest.offsetMs;
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  latest = { zone, quarter, offsetMs: sign === '-' ? -size : size };
  return latest.offsetMs;
}

/** @param {number} value */
const two = (value) => String(value).padStart(2, '0');

/** @param {number} offsetMs */
function offsetText(offsetMs) {
  if (offsetMs === 0) return 'Z';
  const size = Math.abs(offsetMs) / 1000;
  const seconds = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(size / 3600))}:${two(Math.floor((size % 3600) / 60))}${seconds}`;
}

/** @param {number} epochMs */
const wallClock = (epochMs) => {
  const text = new Date(epochMs).toISOString();
  return text.slice(0, text.indexOf('.'));
};

/**
 * Fractions of a second without the zeros at the end.
 * @param {string} digits
 */
const fractionText = (digits) => {
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '' : `.${kept}`;
};

const dateTime =
  /^([+-]?\d{4,6}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d+))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/;

/**
 * `wallMs` is the wall clock in milliseconds, read as UTC and without the fraction.
 * @param {string} text
 * @returns {{ wallMs: number, fraction: string, offset: string | undefined } | undefined}
 */
function partsOf(text) {
  const found = dateTime.exec(text.trim());
  if (!found) return undefined;
  const [, date = '', clock = '', fraction = '', offset] = found;
  const wallMs = Date.parse(`${date}T${clock.length === 5 ? `${clock}:00` : clock}Z`);
  return Number.isNaN(wallMs) ? undefined : { wallMs, fraction, offset };
}

/** @param {string} text */
function offsetOf(text) {
  const found = /^([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/.exec(text);
  if (!found) return 0;
  const [, sign, hours, minutes = '0', seconds = '0'] = found;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/**
 * An instant, given as text with an offset (UTC when there is none), on the clock of a zone. Other texts stay.
 * @param {string} text @param {string} zone
 */
export function inZone(text, zone) {
  const parts = partsOf(text);
  if (!parts) return text;
  const epochMs = parts.wallMs - (parts.offset === undefined ? 0 : offsetOf(parts.offset));
  const offsetMs = offsetAt(epochMs, zone);
  return `${wallClock(epochMs + offsetMs)}${fractionText(parts.fraction)}${offsetText(offsetMs)}`;
}

/**
 * A date and time without an offset, on the clock of a zone.
 * @param {string} text @param {string} zone
 */
export function withZone(text, zone) {
  const parts = partsOf(text);
  if (!parts) return text;
  // The offset of the guess may differ from that of the result around a change of the clock.
  const guess = parts.wallMs - offsetAt(parts.wallMs, zone);
  const offsetMs = offsetAt(guess, zone);
  return `${wallClock(parts.wallMs)}${fractionText(parts.fraction)}${offsetText(offsetMs)}`;
}

/**
 * A date and time without an offset as ISO 8601. Other texts, such as "infinity", stay.
 * @param {string} text
 */
export function localDateTime(text) {
  const parts = partsOf(text);
  return parts ? `${wallClock(parts.wallMs)}${fractionText(parts.fraction)}` : text;
}

/** @param {string} text */
export const instant = (text) => inZone(text, 'UTC');

/**
 * A time with an offset on today's clock of a zone.
 * @param {string} text @param {string} zone @param {Date} now
 */
export function timeInZone(text, zone, now) {
  const today = now.toISOString().slice(0, 10);
  const moved = inZone(`${today}T${text}`, zone);
  return moved.slice(11).replace(/(Z|[+-]\d{2}:\d{2})$/, '');
}

/**
 * A time without the zeros at the end of its fraction.
 * @param {string} text
 */
export const localTime = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
