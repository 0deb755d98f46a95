import { messageOf } from '@millrace/plugin-kit';
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
import type { ReceivedEvent } from './evaluationJob.ts';
import type { EvaluationParts } from './evaluationParts.ts';
import { triggerLog } from './triggeredExecution.ts';

/** The maximum backoff of a failing trigger, unless its own interval is longer. */
const longestPauseMs = 30 * 60_000;

/** One poll of a trigger, from the claimed row to the row that waits for the next poll. */
export async function poll(claim: Claim, found: EvaluatedTrigger, parts: EvaluationParts): Promise<void> {
  try {
    await pollOnce(claim, found, parts);
  } catch (error) {
    // The row belongs to another evaluation now, and with it everything that follows.
    if (!(error instanceof Conflict) && !claim.isLost) throw error;
  }
}

async function pollOnce(claim: Claim, found: EvaluatedTrigger, parts: EvaluationParts): Promise<void> {
  const { interruption, row } = claim;
  const { flow, trigger, intervalMs } = found;
  const startedAt = parts.clock();
  const end = (more: Partial<EvaluationEnd> = {}): EvaluationEnd => {
    const now = parts.clock();
    return { now, evaluatedAt: startedAt, nextAt: now + intervalMs, ...more };
  };
  const settle = (more: Partial<EvaluationEnd>) => claim.writeEnd((before) => settled(before, end(more)));
  // Not started, or interrupted: the trigger is due again at once.
  const handBack = () => settle({ nextAt: parts.clock(), failures: failuresOf(row) });

  const accept = async ({ memory, ...received }: ReceivedEvent) => {
    const remembered = rememberedOf({ memory });
    const isLocking = trigger.allowConcurrent !== true;
    const became = await claim.write((put) =>
      acceptEvent(
        { flow, trigger, ...received },
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
    if (became === 'refused' || became === 'known') await parts.evaluator.discard(received);
  };

  if (interruption.reason !== undefined) return void (await handBack());
  const job = jobOf(found, row, parts);
  try {
    if (!(await mayEvaluate(found, parts))) return void (await settle({}));
    const { outputs, ...rest } = await parts.evaluator.poll(job, interruption, accept);
    if (claim.isHandedBack) return;
    if (outputs) return await accept({ executionId: job.executionId, outputs, ...rest });
    if (interruption.reason !== undefined) return void (await handBack());
    await settle(rememberedOf(rest));
  } catch (error) {
    if (error instanceof Conflict || claim.isLost) throw error;
    if (interruption.reason !== undefined) return void (await handBack());
    if (claim.isHandedBack) return await warnOfRepetition(error, job.executionId, found, parts);
    const failures = failuresOf(row) + 1;
    const nextAt = parts.clock() + pauseAfter(failures, intervalMs, longestPauseMs);
    await settleFailure(error, claim, found, end({ failures, nextAt }), parts);
  }
}

const rememberedOf = ({ memory }: { readonly memory?: unknown }) =>
  memory === undefined ? {} : { memory: { value: memory } };

/** The execution is stored; only the source was not notified. */
async function warnOfRepetition(
  error: unknown,
  executionId: string,
  { flow, trigger }: EvaluatedTrigger,
  { logs, clock }: EvaluationParts,
): Promise<void> {
  const message = `The execution was stored, but its messages were not acknowledged and may be delivered again: ${messageOf(error)}`;
  const log = triggerLog(flow, trigger, { level: 'WARN', message, at: clock() });
  await logs.addLog(executionId, log);
}
