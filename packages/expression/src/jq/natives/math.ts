import { describe, JqError, numberOf, typeOf } from '../values.ts';
import { type Natives, simple, withTwoArguments } from './native.ts';

const unary: { readonly [name: string]: (value: number) => number } = {
  floor: Math.floor,
  ceil: Math.ceil,
  round: (value) => Math.sign(value) * Math.round(Math.abs(value)),
  trunc: Math.trunc,
  rint: (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)),
  nearbyint: (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)),
  fabs: Math.abs,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  exp: Math.exp,
  exp2: (value) => 2 ** value,
  exp10: (value) => 10 ** value,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
};

const binary: { readonly [name: string]: (a: number, b: number) => number } = {
  pow: (a, b) => a ** b,
  atan2: Math.atan2,
  fmod: (a, b) => a % b,
  fmin: Math.min,
  fmax: Math.max,
  ldexp: (a, b) => a * 2 ** b,
};

/** Mathematical functions. */
export const mathNatives: Natives = {
  ...Object.fromEntries(
    Object.entries(unary).map(([name, compute]) => [
      `${name}/0`,
      simple((value) => compute(requireNumber(value)) || 0),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(binary).map(([name, compute]) => [
      `${name}/2`,
      withTwoArguments((_, a, b) => compute(requireNumber(a), requireNumber(b))),
    ]),
  ),
  'infinite/0': simple(() => Infinity),
  'nan/0': simple(() => Number.NaN),
  'isinfinite/0': simple((value) => Math.abs(requireNumber(value)) === Infinity),
  'isnan/0': simple((value) => Number.isNaN(requireNumber(value))),
  'isnormal/0': simple(
    (value) =>
      Number.isFinite(requireNumber(value)) && Math.abs(requireNumber(value)) >= 2.2250738585072014e-308,
  ),
  'null/0': simple(() => null),
  'true/0': simple(() => true),
  'false/0': simple(() => false),
};

function requireNumber(value: unknown): number {
  if (typeOf(value) !== 'number') throw new JqError(`${describe(value)} number required`);
  return numberOf(value);
}
