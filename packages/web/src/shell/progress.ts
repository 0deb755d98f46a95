import { onActivity } from '../api/activity.ts';
import { ProgressBar } from './ProgressBar.ts';

/** Requests and route changes share one bar: it starts with the first of them and ends with the last. */
export function startProgressBar(bar = new ProgressBar()): () => void {
  const move = oncePerFrame((by: () => void) => bar.isStarted && by());
  let isPending = false;
  const start = oncePerFrame(() => isPending && bar.start());
  const stop = onActivity({
    onChange: (pending, finished) => {
      isPending = pending > 0;
      if (!isPending) bar.end();
      else if (!bar.isStarted) start(undefined);
      else if (finished > 0) move(() => bar.reach(finished / (pending + finished) - 0.1));
    },
    onAdvance: () => move(() => bar.advance()),
  });
  return () => {
    stop();
    bar.end();
  };
}

/** Each move of the bar has the browser lay out the page anew, which it does once a frame anyway. */
function oncePerFrame<T>(action: (value: T) => void): (value: T) => void {
  let next: { value: T } | undefined;
  return (value) => {
    const isAsked = next !== undefined;
    next = { value };
    if (isAsked) return;
    requestAnimationFrame(() => {
      if (next) action(next.value);
      next = undefined;
    });
  };
}
