import { ExpressionError } from '../error.ts';
import type { Session } from '../session.ts';
import { javaText } from '../values/text.ts';
import { Decimal } from './decimal.ts';
import { groupDigits } from './decimalFormat.ts';
import { isInteger, isNumeric, type Numeric, toBigInt, toDouble } from './number.ts';

const specifier = /%(?:(\d+)\$|(<))?([-#+ 0,(]*)(\d{1,6})?(?:\.(\d{1,3}))?([a-zA-Z%])|%/g;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly conversion: string;
}

/** Java's String.format for the conversions that make sense on plain data: s d f e g x o c b n %. */
export function formatText(format: string, args: readonly unknown[], session: Session): string {
  let next = 0;
  let last = -1;
  let total = 0;
  return format.replace(specifier, (piece, index, again, flags = '', width, precision, conversion) => {
    if (conversion === undefined) throw new ExpressionError(`Illegal format '${piece}' in '${format}'`);
    if (conversion === '%')
      return pad('%', { flags, width: Number(width ?? 0), precision: null, conversion });
    if (conversion === 'n') return '\n';
    last = index !== undefined ? Number(index) - 1 : again !== undefined ? last : next++;
    if (last < 0 || last >= args.length) throw new ExpressionError(`The format '${piece}' has no argument`);
    const directive = {
      flags,
      width: Number(width ?? 0),
      precision: precision === undefined ? null : Number(precision),
      conversion,
    };
    const text = convert(args[last] ?? null, directive, session);
    total += text.length;
    session.checkText(total);
    return text;
  });
}

function convert(value: unknown, directive: Directive, session: Session): string {
  const { conversion, precision } = directive;
  const isUpper = conversion !== conversion.toLowerCase();
  const text = convertLower(value, { ...directive, conversion: conversion.toLowerCase() }, session);
  const cut = precision !== null && 'sb'.includes(conversion.toLowerCase()) ? text.slice(0, precision) : text;
  return pad(isUpper ? cut.toUpperCase() : cut, directive);
}

function convertLower(value: unknown, directive: Directive, session: Session): string {
  const { conversion } = directive;
  if (conversion === 'b') return String(value === null ? false : typeof value === 'boolean' ? value : true);
  if (conversion === 's') return javaText(value, session);
  if (value === null) return 'null';
  if (conversion === 'c') return convertCharacter(value);
  if (!isNumeric(value))
    throw new ExpressionError(
      `%${conversion} needs a number, found '${javaText(value, session).slice(0, 50)}'`,
    );
  switch (conversion) {
    case 'd':
      return sign(
        groupNumber(String(wholeOf(value, 'd')).replace('-', ''), directive.flags),
        Number(wholeOf(value, 'd')) < 0,
        directive,
      );
    case 'x':
      return unsigned(value, 16, '0x', directive);
    case 'o':
      return unsigned(value, 8, '0', directive);
    case 'f':
    case 'e':
    case 'g':
      return convertReal(value, directive);
  }
  throw new ExpressionError(`Unknown format conversion '%${conversion}'`);
}

function unsigned(
  value: Numeric,
  radix: 8 | 16,
  mark: string,
  { flags, width, conversion }: Directive,
): string {
  const open = flags.includes('#') ? mark : '';
  const digits = BigInt.asUintN(64, wholeOf(value, conversion)).toString(radix);
  return open + (flags.includes('0') ? digits.padStart(width - open.length, '0') : digits);
}

function convertCharacter(value: unknown): string {
  if (typeof value === 'string' && [...value].length === 1) return value;
  throw new ExpressionError('%c needs a single character');
}

function wholeOf(value: Numeric, conversion: string): bigint {
  if (isInteger(value)) return toBigInt(value);
  throw new ExpressionError(`%${conversion} needs an integer`);
}

function convertReal(value: Numeric, directive: Directive): string {
  if (isInteger(value)) throw new ExpressionError(`%${directive.conversion} needs a number with a fraction`);
  const size = toDouble(value);
  if (!Number.isFinite(size)) return sign(String(Math.abs(size)), size < 0, directive);
  const precision = directive.precision ?? 6;
  if (directive.conversion === 'f')
    return sign(groupNumber(fixed(value, precision), directive.flags), size < 0, directive);
  const magnitude = Math.abs(size);
  const significant = Math.max(1, precision);
  const isPlain =
    directive.conversion === 'g' && (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 10 ** significant));
  if (isPlain) {
    const places = magnitude === 0 ? significant - 1 : significant - 1 - Math.floor(Math.log10(magnitude));
    return sign(groupNumber(fixed(value, Math.max(0, places)), directive.flags), size < 0, directive);
  }
  const digits = Math.min(100, directive.conversion === 'g' ? significant - 1 : precision);
  const [mantissa = '', exponent = '+0'] = magnitude.toExponential(digits).split('e');
  const power = exponent.slice(1).padStart(2, '0');
  return sign(`${mantissa}e${exponent[0]}${power}`, size < 0, directive);
}

/** Java rounds half up here, on the decimal digits a double prints with. */
function fixed(value: Numeric, places: number): string {
  const exact =
    value instanceof Decimal
      ? value
      : (Decimal.parse(String(Math.abs(toDouble(value)))) ?? new Decimal(0n, 0));
  const positive = exact.unscaled < 0n ? new Decimal(-exact.unscaled, exact.scale) : exact;
  if (positive.scale <= places) return positive.round(places).toString();
  const unit = 10n ** BigInt(positive.scale - places);
  return new Decimal((positive.unscaled + unit / 2n) / unit, places).toString();
}

function groupNumber(digits: string, flags: string): string {
  if (!flags.includes(',')) return digits;
  const [whole = '', fraction] = digits.split('.');
  return groupDigits(whole, 3) + (fraction === undefined ? '' : `.${fraction}`);
}

/** Adds the sign and the zeros that go between it and the digits. */
function sign(digits: string, isNegative: boolean, { flags, width }: Directive): string {
  const open = isNegative
    ? flags.includes('(')
      ? '('
      : '-'
    : flags.includes('+')
      ? '+'
      : flags.includes(' ')
        ? ' '
        : '';
  const close = open === '(' ? ')' : '';
  const zeros =
    flags.includes('0') && /^\d/.test(digits)
      ? Math.max(0, width - open.length - close.length - digits.length)
      : 0;
  return open + '0'.repeat(zeros) + digits + close;
}

function pad(text: string, { flags, width }: Directive): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}
