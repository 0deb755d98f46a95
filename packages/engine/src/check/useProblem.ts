import type { Span } from '@millrace/expression';
import { nearestName } from '../flow/nearestName.ts';

/** A mistake in a template, with offsets into the template. */
export interface UseProblem extends Span {
  readonly message: string;
}

/** A name that does not exist, with the one that was probably meant. */
export function unknownName(at: Span, message: string, written: string, names: Iterable<string>): UseProblem {
  const { start, end } = at;
  const nearest = nearestName(written, names);
  return { message: nearest === undefined ? message : didYouMean(message, nearest), start, end };
}

/** The end of a message that the editor's quick fix reads. */
export const didYouMean = (message: string, name: string): string => `${message}; did you mean "${name}"?`;
