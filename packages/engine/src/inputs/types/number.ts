import { asText, expected, type InputRule, withinBounds } from './inputRule.ts';

const limit32 = 2 ** 31;

/** A whole number of 32 bits. */
export const int: InputRule = (value, input) => {
  const text = asText(value).trim();
  const number = /^[-+]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= -limit32 && number < limit32)) return expected('INT');
  const reason = withinBounds(number, input, Number, ['min', 'max']);
  return reason ? { reason } : { value: number };
};

export const float: InputRule = (value, input) => {
  const text = asText(value).trim();
  const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return expected('FLOAT');
  const reason = withinBounds(number, input, Number, ['min', 'max']);
  return reason ? { reason } : { value: number };
};
