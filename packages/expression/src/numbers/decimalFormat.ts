import { ExpressionError } from '../error.ts';
import { Decimal } from './decimal.ts';
import { isInteger, type Numeric, toBigInt, toDouble } from './number.ts';

interface Format {
  readonly prefix: string;
  readonly suffix: string;
  readonly negativePrefix: string;
  readonly negativeSuffix: string;
  readonly minimumInteger: number;
  readonly minimumFraction: number;
  readonly maximumFraction: number;
  readonly grouping: number;
  /** Digits of the exponent; 0 without scientific notation. */
  readonly exponent: number;
  readonly maximumInteger: number;
  /** Decimal places the value is moved by `%` and `‰`. */
  readonly shift: number;
  readonly showsPoint: boolean;
}

/** Formats a number by a Java DecimalFormat pattern, rounding half to even on the exact value. */
export function formatNumber(value: Numeric, pattern: string): string {
  const format = parsePattern(pattern);
  const size = toDouble(value);
  if (Number.isNaN(size)) return 'NaN';
  const isNegative = size < 0 || Object.is(size, -0);
  const body = Number.isFinite(size) ? formatFinite(sizeOf(value, format), format) : '∞';
  const isZero = !/[1-9∞]/.test(body);
  if (!isNegative || (isZero && isInteger(value))) return format.prefix + body + format.suffix;
  return format.negativePrefix + body + format.negativeSuffix;
}

/** The size of the number after `%` or `‰` moved it, which for a double is a multiplication of doubles. */
function sizeOf(value: Numeric, { shift, exponent }: Format): Decimal {
  if (value instanceof Decimal || isInteger(value)) {
    const { unscaled, scale } = value instanceof Decimal ? value : new Decimal(toBigInt(value), 0);
    return new Decimal(unscaled < 0n ? -unscaled : unscaled, scale - shift);
  }
  const size = Math.abs(toDouble(value)) * 10 ** shift;
  // Scientific notation counts the digits a double prints with, not those it has.
  return exponent > 0 ? (Decimal.parse(String(size)) ?? Decimal.ofDouble(size)) : Decimal.ofDouble(size);
}

function formatFinite(size: Decimal, format: Format): string {
  if (format.exponent > 0) return formatScientific(size, format);
  const [whole = '0', fraction = ''] = size.round(format.maximumFraction).toString().split('.');
  const kept = trimFraction(fraction, format.minimumFraction);
  const integers = (whole === '0' ? '' : whole).padStart(format.minimumInteger, '0');
  // Without any required digit a zero is still printed, unless a fraction is.
  const shown = integers === '' && kept === '' ? '0' : integers;
  const point = kept !== '' || format.showsPoint ? '.' : '';
  return groupDigits(shown, format.grouping) + point + kept;
}

/** With optional integer digits (`##0.##E0`) the exponent is a multiple of their number. */
function formatScientific(size: Decimal, format: Format): string {
  const { minimumInteger, maximumInteger, maximumFraction } = format;
  const isGrouped = maximumInteger > minimumInteger && maximumInteger > 1;
  const width = isGrouped ? maximumInteger : Math.max(1, minimumInteger);
  const rounded = size.round(size.scale - (String(size.unscaled).length - width - maximumFraction));
  const leading = rounded.unscaled === 0n ? 0 : String(rounded.unscaled).length - 1 - rounded.scale;
  const exponent =
    rounded.unscaled === 0n ? 0 : isGrouped ? Math.floor(leading / width) * width : leading - (width - 1);
  const [whole = '0', fraction = ''] = new Decimal(rounded.unscaled, rounded.scale + exponent)
    .toString()
    .split('.');
  const kept = trimFraction(fraction, format.minimumFraction);
  const power = String(Math.abs(exponent)).padStart(format.exponent, '0');
  return `${whole.padStart(minimumInteger, '0')}${kept === '' ? '' : `.${kept}`}E${exponent < 0 ? '-' : ''}${power}`;
}

function trimFraction(fraction: string, minimum: number): string {
  let end = fraction.length;
  while (end > minimum && fraction[end - 1] === '0') end--;
  return fraction.slice(0, end).padEnd(minimum, '0');
}

/** Puts a comma between every `size` digits, counted from the right. */
export function groupDigits(digits: string, size: number): string {
  if (size === 0) return digits;
  let text = '';
  for (let index = 0; index < digits.length; index++) {
    if (index > 0 && (digits.length - index) % size === 0) text += ',';
    text += digits[index];
  }
  return text;
}

function parsePattern(pattern: string): Format {
  const [positive = '', negative] = splitSections(pattern);
  const parts = splitAffixes(positive, pattern);
  const { prefix, suffix } = parts;
  const given = negative === undefined ? null : splitAffixes(negative, pattern);
  // A negative section that equals the positive one would hide the sign, so it is ignored.
  const isSame = given?.prefix.text === prefix.text && given.suffix.text === suffix.text;
  const negativeParts = isSame ? null : given;
  const [mantissa = '', exponent] = parts.number.split('E');
  const [integers = '', fraction = ''] = mantissa.split('.');
  if (
    mantissa.split('.').length > 2 ||
    /0[,#]*#/.test(integers) ||
    /#0/.test(fraction) ||
    fraction.includes(',')
  ) {
    throw new ExpressionError(`Malformed number pattern '${pattern}'`);
  }
  const comma = integers.lastIndexOf(',');
  const required = count(integers, '0');
  // With a point but no required digit Java requires the one beside the point: `#.##` shows the 0 of 0.5.
  const isAllOptional = required === 0 && mantissa.includes('.') && count(fraction, '0') === 0;
  return {
    prefix: prefix.text,
    suffix: suffix.text,
    negativePrefix: negativeParts ? negativeParts.prefix.text : `-${prefix.text}`,
    negativeSuffix: negativeParts ? negativeParts.suffix.text : suffix.text,
    minimumInteger: isAllOptional && integers !== '' ? 1 : required,
    maximumInteger: integers.replaceAll(',', '').length,
    minimumFraction: isAllOptional && integers === '' ? 1 : count(fraction, '0'),
    maximumFraction: fraction.length,
    grouping: comma < 0 ? 0 : integers.length - comma - 1,
    exponent: exponent === undefined ? 0 : exponent.length,
    shift: prefix.shift + suffix.shift,
    showsPoint: mantissa.endsWith('.'),
  };
}

function splitSections(pattern: string): string[] {
  const sections = [''];
  let isQuoted = false;
  for (const char of pattern) {
    if (char === "'") isQuoted = !isQuoted;
    if (char === ';' && !isQuoted) sections.push('');
    else sections[sections.length - 1] += char;
  }
  if (sections.length > 2) throw new ExpressionError(`Malformed number pattern '${pattern}'`);
  return sections;
}

function splitAffixes(section: string, pattern: string): { prefix: Affix; number: string; suffix: Affix } {
  const match = /^((?:'[^']*'|[^'#0,.])*)([#0,.]*(?:E0+)?)((?:'[^']*'|[^'#0,.])*)$/.exec(section);
  if (!match || !/[#0]/.test(match[2] ?? ''))
    throw new ExpressionError(`Malformed number pattern '${pattern}'`);
  return { prefix: readAffix(match[1] ?? ''), number: match[2] ?? '', suffix: readAffix(match[3] ?? '') };
}

interface Affix {
  readonly text: string;
  readonly shift: number;
}

function readAffix(affix: string): Affix {
  let shift = 0;
  const text = affix.replace(/'([^']*)'|%|‰|¤/g, (piece, quoted?: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted;
    if (piece === '%') shift = 2;
    if (piece === '‰') shift = 3;
    return piece === '¤' ? '$' : piece;
  });
  return { text, shift };
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
