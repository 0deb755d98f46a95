import type { Scalar } from './node.ts';

const integer = /^[-+]?[0-9]+$/;
const octal = /^0o[0-7]+$/;
const hexadecimal = /^0x[0-9a-fA-F]+$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const infinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;

const words: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['', null],
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

/**
 * The value of an unquoted scalar by the YAML 1.2 core schema: `yes` and dates stay text. A number out of
 * range, or an integer that JavaScript cannot represent exactly, stays text too, so that it prints as it was
 * written.
 */
export function resolvePlain(text: string): Scalar {
  const word = text.length <= 5 ? words.get(text) : undefined;
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  // Only a digit, a sign or a point can begin a number.
  if (!((first >= 48 && first <= 57) || first === 45 || first === 43 || first === 46)) return text;
  if (integer.test(text)) return exact(Number(text), text);
  if (octal.test(text)) return exact(Number.parseInt(text.slice(2), 8), text);
  if (hexadecimal.test(text)) return exact(Number.parseInt(text.slice(2), 16), text);
  if (float.test(text)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (infinite.test(text)) return infinity(text);
  return text;
}

const exact = (value: number, text: string): Scalar => (Number.isSafeInteger(value) ? value : text);

function infinity(text: string): number {
  if (text.toLowerCase().endsWith('nan')) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
