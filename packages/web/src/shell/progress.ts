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
  return onActivity({
    onChange: (pending, finished) => {
      if (pending === 0) nprogress.done();
      else if (!nprogress.isStarted()) nprogress.start();
      else if (finished > 0)
        nprogress.set(Math.max(nprogress.status ?? 0, finished / (pending + finished) - 0.1));
    },
    onAdvance: () => {
      if (nprogress.isStarted()) nprogress.inc();
    },
  });
}
