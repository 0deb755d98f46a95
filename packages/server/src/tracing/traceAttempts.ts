import type { RunAttempt } from '../loops/worker.ts';
import type { Tracing } from './tracing.ts';

/** Tells the tracing about every attempt; the very same function when there is none. */
export function traceAttempts(runAttempt: RunAttempt, tracing: Tracing | undefined): RunAttempt {
  if (!tracing) return runAttempt;
  return async (attempt, begun, interruption) => {
    const span = tracing.beginAttempt(begun.execution, attempt.task, attempt);
    try {
      const end = await runAttempt(attempt, begun, interruption);
      span.end(end.state);
      return end;
    } catch (error) {
      span.end('FAILED');
      throw error;
    }
  };
}
