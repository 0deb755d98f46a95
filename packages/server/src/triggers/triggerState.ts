import type { Backfill, TriggerState } from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';

/** What the engine decides on, out of a stored row. */
export function stateOf(row: TriggerRecord): TriggerState {
  const { evaluatedAt, nextAt, executionId, disabled, memo } = row;
  return {
    ...(evaluatedAt === undefined ? {} : { evaluatedAt }),
    ...(nextAt === undefined ? {} : { nextAt }),
    ...(executionId === undefined ? {} : { executionId }),
    disabled,
    // `as`: written by `withState`.
    ...(memo?.backfill === undefined ? {} : { backfill: memo.backfill as Backfill }),
  };
}

/** The row in another state. Its date of change always rises, because that is what guards it. */
export function withState(row: TriggerRecord, state: TriggerState, now: number): TriggerRecord {
  const { evaluatedAt: _, nextAt: __, executionId: ___, memo, ...rest } = row;
  const { backfill, ...columns } = state;
  const { backfill: ____, ...remembered } = memo ?? {};
  return {
    ...rest,
    ...columns,
    updatedAt: Math.max(now, row.updatedAt + 1),
    ...(backfill ? { memo: { ...remembered, backfill } } : {}),
  };
}

/** When the backfill of a row was started: two of them over the same dates are told apart by it. */
export const backfillStartedAt = (row: TriggerRecord): unknown => row.memo?.backfillStartedAt;
