import type { RunAttempt } from '../worker/worker.ts';
import type { Tracing } from './tracing.ts';

/** Reports every attempt to the tracing; returns the function unchanged without tracing. */
export function traceAttempts(runAttempt: RunAttempt, tracing: Tracing | undefined): RunAttempt {
  if (!tracing) return runAttempt;
  return async (attempt, started, interruption) => {
    const span = tracing.beginAttempt(started.execution, attempt.task, attempt);
    try {
      const end = await runAttempt(attempt, started, interruption);
      span.end(end.state);
      return end;
    } catch (error) {
      span.end('FAILED');
      throw error;
    }
  };
}
