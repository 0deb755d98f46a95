import type { Node } from './nodes.ts';

/** Binary operators by rising precedence; `right` and `none` tell how they group. */
export const levels: readonly { operators: readonly string[]; groups: 'left' | 'right' | 'none' }[] = [
  { operators: ['//'], groups: 'right' },
  { operators: ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='], groups: 'none' },
  { operators: ['or'], groups: 'left' },
  { operators: ['and'], groups: 'left' },
  { operators: ['==', '!=', '<', '<=', '>', '>='], groups: 'none' },
  { operators: ['+', '-'], groups: 'left' },
  { operators: ['*', '/', '%'], groups: 'left' },
];

/** The node of a binary operator. */
export function combine(operator: string, left: Node, right: Node): Node {
  if (operator === '//') return { type: 'alternative', left, right };
  if (operator === 'and' || operator === 'or') return { type: operator, left, right };
  const isAssignment = operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator);
  return { type: isAssignment ? 'assign' : 'binary', operator, left, right };
}

export function literal(value: unknown): Node {
  return { type: 'literal', value };
}
