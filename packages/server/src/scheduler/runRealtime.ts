import { Conflict, type TriggerRecord } from '@millrace/store';
import { acceptEvent, type EventEnd } from './acceptEvent.ts';
import { type Claim, leaseMs } from './claim.ts';
import { type EvaluatedTrigger, pauseAfter } from './evaluatedTrigger.ts';
import {
  type EvaluationEnd,
  failuresOf,
  jobOf,
  mayEvaluate,
  settled,
  settleFailure,
  withMemo,
} from './evaluationEnd.ts';
import type { ReceivedEvent } from './evaluationJob.ts';
import type { EvaluationParts } from './evaluationParts.ts';
import { triggerLog } from './triggeredExecution.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/** Runs a realtime trigger on this worker, from the claimed row until it ends, fails or is stopped. */
export async function runRealtime(
  claim: Claim,
  found: EvaluatedTrigger,
  parts: EvaluationParts,
): Promise<void> {
  try {
    await runOnce(claim, found, parts);
  } catch (error) {
    // Another process has claimed the row and restarts the trigger if it should run.
    if (!(error instanceof Conflict) && !claim.isLost) throw error;
  }
}

async function runOnce(claim: Claim, found: EvaluatedTrigger, parts: EvaluationParts): Promise<void> {
  const { interruption } = claim;
  const { flow, trigger } = found;
  let hasHeard = false;
  const accept = async (event: ReceivedEvent) => {
    await acceptHeard(event, claim, found, parts);
    hasHeard = true;
  };
  const handBack = () => claim.writeEnd((row) => settled(row, end(parts, { nextAt: parts.clock() })));
  try {
    await parts.evaluator.listen(jobOf(found, claim.row, parts), interruption, accept);
    if (interruption.reason !== undefined) return void (await handBack());
    const message = 'The source has ended; the trigger hears nothing more until it is restarted.';
    const log = triggerLog(flow, trigger, { level: 'INFO', message, at: parts.clock() });
    await claim.writeEnd((row) => settled(row, end(parts, {})), [{ op: 'log.insert', log }]);
  } catch (error) {
    if (claim.isLost) return;
    if (interruption.reason !== undefined) return void (await handBack());
    const failures = hasHeard ? 1 : failuresOf(claim.row) + 1;
    const nextAt = parts.clock() + pauseAfter(failures, firstPauseMs, longestPauseMs);
    await settleFailure(error, claim, found, end(parts, { failures, nextAt }), parts);
  }
}

const end = ({ clock }: EvaluationParts, more: Partial<EvaluationEnd>): EvaluationEnd => ({
  now: clock(),
  ...more,
});

/** Starts the execution of one event and renews the claim in the same commit. */
async function acceptHeard(
  { memory, ...received }: ReceivedEvent,
  claim: Claim,
  found: EvaluatedTrigger,
  parts: EvaluationParts,
): Promise<void> {
  const { flow, trigger } = found;
  const remembered = memory === undefined ? undefined : { value: memory };
  const change = (row: TriggerRecord): TriggerRecord => {
    const now = parts.clock();
    return withMemo({ ...row, evaluatedAt: now, nextAt: now + leaseMs }, 0, remembered);
  };
  const event = { flow, trigger, ...received };
  const became = await claim.write(async (put): Promise<EventEnd> => {
    const isWanted = await mayEvaluate(found, parts);
    if (isWanted) return acceptEvent(event, () => put(change), parts);
    await parts.store.commit([put(change)]);
    return 'refused';
  });
  if (became === 'refused' || became === 'known') await parts.evaluator.discard(received);
}
