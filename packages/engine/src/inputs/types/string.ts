import { compilePattern } from '../pattern.ts';
import { asText, type InputRule } from './inputRule.ts';

/** A text that matches the whole validator. Backtracking patterns are matched later, with a time limit. */
export const string: InputRule = (value, input) => {
  const text = asText(value);
  if (typeof input.validator !== 'string') return { value: text };
  const pattern = compilePattern(input.validator);
  if ('backtracking' in pattern) return { value: text };
  if ('error' in pattern) return { reason: `the pattern \`${input.validator}\` is invalid` };
  return pattern.matches(text)
    ? { value: text }
    : { reason: `it must match the pattern \`${input.validator}\`` };
};
