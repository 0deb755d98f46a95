import type { Label, StateType } from '@millrace/contract';
import type { Host, Variables } from '@millrace/expression';
import type { BacktrackingPattern } from '../inputs/pattern.ts';
import type { Zone } from '../schedule/zone.ts';

/** The execution that a condition tests; for a flow trigger the upstream one. */
export interface ConditionExecution {
  readonly id: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly flowRevision: number;
  readonly state: StateType;
  readonly labels: readonly Label[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The states of the attempts of each task run. */
  readonly attempts?: readonly (readonly StateType[])[];
}

export interface ConditionContext {
  readonly variables: Variables;
  readonly host: Host;
  /** The server's zone, in which a date without an offset is read. */
  readonly zone: Zone;
  /** The flow that the condition is written in. */
  readonly flow: { readonly namespace: string; readonly id: string };
  readonly execution?: ConditionExecution;
  /** Matches a pattern that may take exponential time, with a limit; absent where none can be met. */
  readonly matchBacktracking?: (pattern: BacktrackingPattern, text: string) => Promise<boolean>;
  /** The date of a schedule, so that `{{ trigger.date }}` needs no rendering. */
  readonly date?: { readonly at: number; readonly zone: Zone };
}

/** A condition as written: its type and its properties. */
export type Condition = Readonly<Record<string, unknown>> & { readonly type: string };

export type Evaluate = (condition: Condition, context: ConditionContext) => boolean | Promise<boolean>;

export class ConditionError extends Error {}

export function requireExecution(condition: Condition, context: ConditionContext): ConditionExecution {
  if (context.execution) return context.execution;
  throw new ConditionError(`The condition "${condition.type}" needs an execution and cannot be used here`);
}

export function requireText(condition: Condition, name: string): string {
  const value = condition[name];
  if (typeof value === 'string') return value;
  throw new ConditionError(`The condition "${condition.type}" needs "${name}"`);
}

/** A list of words as written, for example states; undefined when there is none. */
export const wordsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : undefined;
