import type { Label } from '@millrace/contract';
import type { BackfillProgress } from './backfillProgress.ts';

/** The state of a schedule between two evaluations. Times are milliseconds. */
export interface TriggerState {
  /** The date of the last evaluation. */
  readonly evaluatedAt?: number;
  /** The next date; absent when there is none. */
  readonly nextAt?: number;
  /** The execution that must end before the next one starts. */
  readonly executionId?: string;
  readonly disabled: boolean;
  readonly backfill?: Backfill;
}

export interface Backfill {
  readonly start: number;
  readonly end: number;
  readonly current: number;
  readonly paused: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly labels?: readonly Label[];
  readonly previousNextAt?: number;
  /** Absent when the dates are not known before they are rendered. */
  readonly progress?: BackfillProgress;
}

/** The state with another next date; none at all when the date is undefined. */
export function withNext(state: TriggerState, nextAt: number | undefined): TriggerState {
  const { nextAt: _before, ...rest } = state;
  return nextAt === undefined ? rest : { ...rest, nextAt };
}
