import { isTerminal } from '@millrace/contract';
import { interruptAll, isWithWorker } from './interrupt.ts';
import type { Run } from './run.ts';

/**
 * Stops an execution. Task runs without a worker end at once; workers interrupt theirs and report the end.
 * The execution is KILLED when nothing runs any more, so its concurrency slot is never released while a
 * process still runs.
 */
export function kill(run: Run, cascade: boolean): void {
  if (cascade) run.emit({ effect: 'killChildren' });
  if (isTerminal(run.state) || run.state === 'KILLING') return;
  run.moveExecution('KILLING');
  interruptAll(run);
  for (const node of run.nodes.values()) {
    if (!isTerminal(node.record.state.current) && !isWithWorker(run, node)) run.move(node, 'KILLED');
  }
  endKill(run);
}

export function endKill(run: Run): void {
  if (run.state !== 'KILLING' || run.openTaskRuns > 0) return;
  run.moveExecution('KILLED');
  run.dirty.add(run.root);
}
