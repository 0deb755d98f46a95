import type { Input, InputType } from '@millrace/contract';
import { inputTypes } from '@millrace/contract';
import { checkChoices } from './choice.ts';
import { asText, expected, type InputRule, type Parsed } from './inputRule.ts';

/** Reads each item of a list by the rule of the item type, which the caller knows. */
export function listRule(ruleOf: (type: InputType) => InputRule): InputRule {
  return (value, input) => {
    const list = readList(value);
    if (!list) return expected(input.type);
    const items = parseItems(list, itemTypeOf(input), input, ruleOf);
    if ('reason' in items || input.type !== 'MULTISELECT') return items;
    const reason = checkChoices(list, input);
    return reason === undefined ? items : { reason };
  };
}

function parseItems(
  list: readonly unknown[],
  type: InputType,
  input: Input,
  ruleOf: (type: InputType) => InputRule,
): Parsed {
  const rule = ruleOf(type);
  const values: unknown[] = [];
  for (const item of list) {
    const parsed = rule(item, { id: input.id, type });
    if ('reason' in parsed)
      return { reason: `Unable to parse array element as \`${type}\` on \`${asText(item)}\`` };
    values.push(parsed.value);
  }
  return { value: values };
}

const itemTypeOf = (input: Input): InputType =>
  inputTypes.find((type) => type === input.itemType && type !== 'ARRAY') ?? 'STRING';

function readList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
