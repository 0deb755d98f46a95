import { type CallUse, filterNames, functionSignatures, signatureOf, testNames } from '@millrace/expression';
import { type UseProblem, unknownName } from './useProblem.ts';

const words = { function: 'Function', filter: 'Filter', test: 'Test' } as const;
const names = {
  function: functionSignatures.map(({ name }) => name),
  filter: filterNames,
  test: testNames,
};

/** A call of something that does not exist, or with the wrong arguments. */
export function checkCall(use: CallUse): UseProblem[] {
  if (use.isMacro) return [];
  const { kind, name, start, end } = use;
  const signature = signatureOf(kind, name);
  if (!signature) return [unknownName(use, `${words[kind]} "${name}" does not exist`, name, names[kind])];
  const unknown = use.named.find((argument) => !signature.names.includes(argument.name));
  if (unknown) {
    const message = `${words[kind]} "${name}" has no argument "${unknown.name}"`;
    return [unknownName(unknown, message, unknown.name, signature.names)];
  }
  if (signature.variadic) return [];
  const required = signature.required ?? 0;
  const most = signature.names.length;
  const given = use.positional + use.named.length;
  const isMissing = signature.names
    .slice(use.positional, required)
    .some((needed) => !use.named.some((argument) => argument.name === needed));
  if (given <= most && !isMissing) return [];
  const list = most === 0 ? '' : ` (${signature.names.join(', ')})`;
  const message = `${words[kind]} "${name}" takes ${countOf(required, most)}${list}, got ${given}`;
  return [{ message, start, end }];
}

function countOf(least: number, most: number): string {
  if (most === 0) return 'no arguments';
  const noun = most === 1 ? 'argument' : 'arguments';
  if (least === most) return `${most} ${noun}`;
  return least === 0 ? `at most ${most} ${noun}` : `${least} to ${most} ${noun}`;
}
