import type { Execution } from '@millrace/contract';
import type { EventStream } from './eventStream.ts';

/**
 * An execution of many task runs is a large frame. A millisecond of pause for every ten of them keeps what following it
 * costs in bounds, whatever happens in it.
 */
const taskRunsPerMs = 10;
/** Shorter pauses are not worth a change that somebody might want to see. */
const shortestPauseMs = 20;

interface Change {
  readonly execution: Execution;
  readonly isOver: boolean;
}

/** Sends changes of an execution, each of them as long as they are small and read; otherwise the newest after a pause. */
export function atPaceOfReader(stream: EventStream): (change: Change) => void {
  let newest: Change | undefined;
  let isResting = false;
  let timer: NodeJS.Timeout | undefined;
  stream.onClose(() => clearTimeout(timer));
  const send = () => {
    clearTimeout(timer);
    isResting = false;
    if (!newest) return;
    const { execution, isOver } = newest;
    newest = undefined;
    stream.send(isOver ? 'end' : 'progress', execution);
    if (isOver) stream.end();
    else rest((execution.taskRunList?.length ?? 0) / taskRunsPerMs);
  };
  const rest = (pauseMs: number) => {
    const isLong = pauseMs >= shortestPauseMs;
    isResting = isLong || stream.isBehind;
    if (isResting) timer = setTimeout(() => void stream.whenRead().then(send), isLong ? pauseMs : 0);
  };
  return (change) => {
    newest = change;
    if (!isResting || (change.isOver && !stream.isBehind)) send();
  };
}
