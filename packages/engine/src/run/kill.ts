import { isTerminal } from '@millrace/contract';
import { interruptAll, isWithWorker } from './interrupt.ts';
import type { Run } from './run.ts';

/**
 * Stops an execution. Whatever the engine holds ends at once; what a worker runs is interrupted and reports its own
 * end. The execution is KILLED when nothing runs any more, so a place under a concurrency limit is never given away
 * while a process still lives.
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
