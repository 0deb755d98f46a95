import type { TFunction } from 'i18next';

const known = [
  'EQUALS',
  'NOT_EQUALS',
  'IN',
  'NOT_IN',
  'CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'PREFIX',
  'REGEX',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
] as const;

/** An operation in words; one that a newer server invents keeps its own name. */
export function operationName(t: TFunction, operation: string): string {
  const name = known.find((one) => one === operation);
  return name ? t(`operator.${name}`) : operation;
}
