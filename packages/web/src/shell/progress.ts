import nprogress from 'nprogress';
import { onActivity } from '../api/activity.ts';
import './progress.module.css';

/** Requests and route changes share one bar: it starts with the first of them and ends with the last. */
export function startProgressBar(): () => void {
  nprogress.configure({
    minimum: 0.08,
    speed: 200,
    trickleSpeed: 800,
    showSpinner: false,
    // Its own template has a role that does not exist.
    template: '<div class="bar" aria-hidden="true"><div class="peg"></div></div>',
    barSelector: '.bar',
  });
  const move = oncePerFrame((by: () => void) => nprogress.isStarted() && by());
  let isPending = false;
  const start = oncePerFrame(() => isPending && !nprogress.isStarted() && nprogress.start());
  return onActivity({
    onChange: (pending, finished) => {
      isPending = pending > 0;
      if (!isPending) nprogress.done();
      else if (!nprogress.isStarted()) start(undefined);
      else if (finished > 0) {
        const share = finished / (pending + finished) - 0.1;
        move(() => nprogress.set(Math.max(nprogress.status ?? 0, share)));
      }
    },
    onAdvance: () => move(() => nprogress.inc()),
  });
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
