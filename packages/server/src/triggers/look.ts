import { Conflict, type TriggerRecord } from '@millrace/store';
import { acceptEvent } from './acceptEvent.ts';
import type { Claim } from './claim.ts';
import { type EvaluatedTrigger, pauseAfter } from './evaluatedTrigger.ts';
import {
  type EvaluationEnd,
  failuresOf,
  jobOf,
  mayEvaluate,
  settled,
  settleFailure,
} from './evaluationEnd.ts';
import type { EvaluationParts } from './evaluations.ts';

/** However often it fails, a trigger is tried again after this at the latest, or after its own interval. */
const longestPauseMs = 30 * 60_000;

/** One look of a polling trigger, from the claimed row to the row that waits for the next look. */
export async function look(claim: Claim, found: EvaluatedTrigger, parts: EvaluationParts): Promise<void> {
  try {
    await lookOnce(claim, found, parts);
  } catch (error) {
    // The row belongs to somebody else now, and with it whatever comes next.
    if (!(error instanceof Conflict)) throw error;
  }
}

async function lookOnce(claim: Claim, found: EvaluatedTrigger, parts: EvaluationParts): Promise<void> {
  const { interruption, row } = claim;
  const { flow, trigger, intervalMs } = found;
  const startedAt = parts.clock();
  const end = (more: Partial<EvaluationEnd> = {}): EvaluationEnd => {
    const now = parts.clock();
    return { now, evaluatedAt: startedAt, nextAt: now + intervalMs, ...more };
  };
  const settle = (more: Partial<EvaluationEnd>) =>
    claim.write((put) => parts.store.commit([put((before) => settled(before, end(more)))]));
  // Not begun, or told to stop: it is due again at once.
  const handBack = () => settle({ nextAt: parts.clock(), failures: failuresOf(row) });

  if (interruption.reason !== undefined) return void (await handBack());
  const job = jobOf(found, row, parts);
  try {
    if (!(await mayEvaluate(found, parts))) return void (await settle({}));
    const { outputs, memory, ...recorded } = await parts.evaluator.look(job, interruption);
    const remembered = memory === undefined ? {} : { memory: { value: memory } };
    if (!outputs && interruption.reason !== undefined) return void (await handBack());
    if (!outputs) return void (await settle(remembered));
    const event = { flow, trigger, executionId: job.executionId, outputs, ...recorded };
    const isLocking = trigger.allowConcurrent !== true;
    const became = await claim.write((put) =>
      acceptEvent(
        event,
        (execution) =>
          put((before: TriggerRecord) =>
            settled(
              before,
              end({ ...remembered, ...(execution && isLocking ? { executionId: execution.id } : {}) }),
            ),
          ),
        parts,
      ),
    );
    if (became === 'refused' || became === 'known') await parts.evaluator.discard(recorded);
  } catch (error) {
    if (error instanceof Conflict || claim.isLost) throw error;
    if (interruption.reason !== undefined) return void (await handBack());
    const failures = failuresOf(row) + 1;
    const nextAt = parts.clock() + pauseAfter(failures, intervalMs, longestPauseMs);
    await settleFailure(error, claim, found, end({ failures, nextAt }), parts);
  }
}
