import type { Session } from '../../session.ts';
import type { Native } from '../evaluate.ts';

export type Natives = { readonly [name: string]: Native };

/** A function of its input alone. */
export function simple(compute: (value: unknown, session: Session) => unknown): Native {
  return function* run(machine, _, input) {
    yield { value: compute(input.value, machine.session), path: null };
  };
}

/** A function of its input and the values of one argument. */
export function withArgument(
  compute: (value: unknown, argument: unknown, session: Session) => unknown,
): Native {
  return function* run(machine, [argument], input) {
    if (!argument) return;
    for (const value of machine.values(argument, input.value)) {
      yield { value: compute(input.value, value, machine.session), path: null };
    }
  };
}

/** A function of its input and the values of two arguments, in every combination. */
export function withTwoArguments(
  compute: (value: unknown, first: unknown, second: unknown, session: Session) => unknown,
): Native {
  return function* run(machine, [first, second], input) {
    if (!first || !second) return;
    for (const right of machine.values(second, input.value)) {
      for (const left of machine.values(first, input.value)) {
        yield { value: compute(input.value, left, right, machine.session), path: null };
      }
    }
  };
}
