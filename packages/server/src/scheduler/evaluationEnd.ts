import { mainTenant } from '@millrace/contract';
import { messageOf } from '@millrace/plugin-kit';
import type { Op, TriggerRecord } from '@millrace/store';
import { stackOf } from '../worker/stackOf.ts';
import { conditionsHold, type EventParts, showFailure } from './acceptEvent.ts';
import type { Claim } from './claim.ts';
import type { EvaluatedTrigger } from './evaluatedTrigger.ts';
import type { EvaluationJob } from './evaluationJob.ts';
import { triggerLog, variablesOf } from './triggeredExecution.ts';
import { stateOf, withoutEvaluation, withState } from './triggerState.ts';

/** The changes written to the row when an evaluation ends. */
export interface EvaluationEnd {
  readonly now: number;
  readonly evaluatedAt?: number;
  /** Absent: the trigger waits for nothing. */
  readonly nextAt?: number;
  /** The execution that must end before the next evaluation. */
  readonly executionId?: string;
  readonly failures?: number;
  /** Replaces the trigger's memory. */
  readonly memory?: { readonly value?: unknown };
}

/** The row after an evaluation: free again, with the date of the next one. */
export function settled(
  row: TriggerRecord,
  { now, evaluatedAt, nextAt, executionId, failures = 0, memory }: EvaluationEnd,
): TriggerRecord {
  const { nextAt: _, ...state } = stateOf(row);
  const free = withState(
    withoutEvaluation(row),
    {
      ...state,
      ...(evaluatedAt === undefined ? {} : { evaluatedAt }),
      ...(nextAt === undefined ? {} : { nextAt }),
      ...(executionId === undefined ? {} : { executionId }),
    },
    now,
  );
  return withMemo(free, failures, memory);
}

export function withMemo(
  row: TriggerRecord,
  failures: number,
  memory: EvaluationEnd['memory'],
): TriggerRecord {
  const { memo, ...rest } = row;
  const { failures: _, memory: kept, ...others } = memo ?? {};
  const remembered = memory ? memory.value : kept;
  const changed = {
    ...others,
    ...(failures > 0 ? { failures } : {}),
    ...(remembered === undefined ? {} : { memory: remembered }),
  };
  return Object.keys(changed).length > 0 ? { ...rest, memo: changed } : rest;
}

export const failuresOf = (row: TriggerRecord): number => Number(row.memo?.failures ?? 0);

export function jobOf(
  { flow, trigger }: EvaluatedTrigger,
  row: TriggerRecord,
  parts: EventParts,
): EvaluationJob {
  const { namespace, id, revision } = flow;
  return {
    executionId: parts.newId(),
    flow: { tenantId: mainTenant, namespace, id, revision },
    trigger,
    variables: variablesOf(flow, parts),
    ...(row.memo?.memory === undefined ? {} : { memory: row.memo.memory }),
  };
}

/** Evaluates conditions that need no event; a condition that throws counts as a failure of the trigger. */
export const mayEvaluate = ({ flow, trigger }: EvaluatedTrigger, parts: EventParts): Promise<boolean> =>
  conditionsHold('before', { flow, trigger, outputs: {} }, parts);

/** Logs a failure of the trigger and, if its author wants it, inserts a failed execution. */
export async function settleFailure(
  error: unknown,
  claim: Claim,
  { flow, trigger }: EvaluatedTrigger,
  end: EvaluationEnd,
  parts: EventParts,
): Promise<void> {
  const reason = messageOf(error);
  const change = (row: TriggerRecord) => settled(row, end);
  if (trigger.failOnTriggerError === true) {
    const event = { flow, trigger, executionId: parts.newId(), outputs: {} };
    await claim.write((put) => showFailure(event, reason, () => put(change), parts));
    return;
  }
  const lines: Op[] = [{ op: 'log.insert', log: triggerLog(flow, trigger, line('ERROR', reason, end.now)) }];
  const stack = error instanceof Error && trigger.logLevel === 'TRACE' ? stackOf(error) : undefined;
  if (stack !== undefined) {
    lines.push({ op: 'log.insert', log: triggerLog(flow, trigger, line('TRACE', stack, end.now)) });
  }
  await claim.writeEnd(change, lines);
}

const line = (level: 'ERROR' | 'TRACE', message: string, at: number) => ({ level, message, at });
