import { isTerminal, type StateType } from '@millrace/contract';
import { evaluateCallerOutputs, evaluateFlowOutputs } from './flowOutputs.ts';
import { abandonWaiting } from './interrupt.ts';
import { listenerPlan } from './listeners.ts';
import { isDone } from './next.ts';
import type { Branch } from './node.ts';
import type { Run } from './run.ts';

/** The main tasks ended: sets the outputs and the final state, then starts listeners and afterExecution. */
export function finishExecution(run: Run, derived: StateType): void {
  const outcome = evaluateFlowOutputs(run);
  if (outcome === 'pending' || evaluateCallerOutputs(run) === 'pending') return;
  let state = derived;
  if ('error' in outcome) {
    run.log('ERROR', outcome.error);
    state = state === 'KILLED' ? 'KILLED' : 'FAILED';
  } else if (outcome.outputs) run.updateExecution({ outputs: outcome.outputs });
  if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
  run.moveExecution(state);
  abandonWaiting(run);
  run.dirty.add(run.root);
}

/** Runs listeners, then afterExecution; neither changes the state. */
export function continueAfterwards(run: Run, startDue: (branch: Branch) => boolean): void {
  if (run.execution.closedAt !== undefined) return;
  const listeners = listenerPlan(run);
  if (listeners === 'pending') return run.askForListeners();
  if (listeners) {
    run.root.branches.listeners ??= listeners;
    if (!isDone(run.root.lane('listeners'), listeners) && !startDue('listeners')) return;
  }
  const after = run.root.branches.afterExecution;
  if (after && !isDone(run.root.lane('afterExecution'), after) && !startDue('afterExecution')) return;
  completeWhenQuiet(run);
}

/** Completes the execution once no task run is open, siblings of the failed task included. */
export function completeWhenQuiet(run: Run): void {
  if (!isTerminal(run.state) || run.openTaskRuns > 0 || run.execution.closedAt !== undefined) return;
  if (run.execution.memo?.replayAt !== undefined) return;
  run.updateExecution({ closedAt: run.now });
  run.emit({ effect: 'completed' });
}
