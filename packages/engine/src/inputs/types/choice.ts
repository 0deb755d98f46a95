import type { Input } from '@millrace/contract';
import type { InputRule, Parsed } from './inputRule.ts';
import { asText } from './inputRule.ts';

/** The values to choose from, as text. */
export function choicesOf(input: Input): string[] {
  const choices = input.values ?? input.options;
  return Array.isArray(choices) ? choices.map(asText) : [];
}

const notAmong = (input: Input): Parsed => ({
  reason: `it must match the values \`[${choicesOf(input).join(', ')}]\``,
});

export const select: InputRule = (value, input) => {
  const text = asText(value);
  if (input.allowCustomValue === true && input.type !== 'ENUM') return { value: text };
  return choicesOf(input).includes(text) ? { value: text } : notAmong(input);
};

/** True when every item of a list may be chosen. */
export function checkChoices(items: readonly unknown[], input: Input): string | undefined {
  if (input.allowCustomValue === true) return undefined;
  const choices = new Set(choicesOf(input));
  const isFine = items.every((item) => choices.has(asText(item)));
  const failure = notAmong(input);
  return isFine || 'value' in failure ? undefined : failure.reason;
}
