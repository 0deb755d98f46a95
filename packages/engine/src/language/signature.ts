import { lexPartial, signatureOf } from '@millrace/expression';
import { openCall } from './cursor.ts';
import { filterDocs } from './docs/filters.ts';
import { functionDocs } from './docs/functions.ts';

export interface SignatureHelp {
  readonly label: string;
  /** Each parameter as it stands in the label. */
  readonly parameters: readonly string[];
  readonly active: number;
  readonly documentation: string;
}

/** The parameters of the call that the cursor is in. */
export function signatureHelp(text: string, offset: number): SignatureHelp | undefined {
  const partial = lexPartial(text.slice(Math.max(0, offset - maxLookBack), offset));
  const call = partial && openCall(partial.tokens);
  const signature = call && signatureOf(call.kind, call.name);
  if (!call || !signature) return undefined;
  const parameters = parametersOf(signature);
  const named = call.argument === undefined ? -1 : signature.names.indexOf(call.argument);
  return {
    label: labelOf(call.name, parameters),
    parameters,
    active: named >= 0 ? named : Math.min(call.index, Math.max(0, parameters.length - 1)),
    documentation: (call.kind === 'filter' ? filterDocs : functionDocs)[call.name] ?? '',
  };
}

/** An expression is not longer than this. */
export const maxLookBack = 10_000;

/** Optional parameters have a question mark. */
export function parametersOf({
  names,
  required = 0,
  variadic,
}: {
  readonly names: readonly string[];
  readonly required?: number;
  readonly variadic?: boolean;
}): string[] {
  if (variadic) return ['…values'];
  return names.map((name, index) => (index < required ? name : `${name}?`));
}

export const labelOf = (name: string, parameters: readonly string[]): string =>
  `${name}(${parameters.join(', ')})`;
