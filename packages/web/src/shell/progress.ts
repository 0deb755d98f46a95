import { onActivity } from '../api/activity.ts';
import styles from './progress.module.css';

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
    // A start that waits for its frame would draw a bar that nothing ends.
    isPending = false;
    bar.end();
  };
}

/** Each move of the bar makes the browser lay out the page again, which it does once per frame anyway. */
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

/** How far the bar is at its start, how long each move takes, and how often it moves by itself. */
const progressTimes = { minimum: 0.08, speedMs: 200, trickleMs: 800 } as const;

/** The bar at the top of the page. It never reaches the end by itself, because nothing knows how long a call takes. */
export class ProgressBar {
  #bar: HTMLElement | undefined;
  #share = 0;
  #trickle: ReturnType<typeof setInterval> | undefined;

  get isStarted(): boolean {
    return this.#bar !== undefined;
  }

  start(): void {
    if (this.#bar) return;
    this.#bar = document.createElement('div');
    this.#bar.className = styles.bar ?? '';
    this.#bar.ariaHidden = 'true';
    this.#bar.dataset.progress = 'running';
    this.#bar.style.setProperty('--progress-speed', `${progressTimes.speedMs}ms`);
    document.body.append(this.#bar);
    this.#move(progressTimes.minimum);
    this.#trickle = setInterval(() => this.advance(), progressTimes.trickleMs);
  }

  /** Moves to this share of the way, never back. */
  reach(share: number): void {
    if (share > this.#share) this.#move(Math.min(share, 0.994));
  }

  /** A step that gets shorter towards the end. */
  advance(): void {
    const step = this.#share < 0.2 ? 0.1 : this.#share < 0.5 ? 0.04 : this.#share < 0.8 ? 0.02 : 0.005;
    this.reach(this.#share + step);
  }

  end(): void {
    const bar = this.#bar;
    if (!bar) return;
    clearInterval(this.#trickle);
    this.#move(1);
    this.#bar = undefined;
    bar.dataset.progress = 'done';
    setTimeout(() => bar.remove(), 2 * progressTimes.speedMs);
  }

  #move(share: number): void {
    this.#share = share;
    this.#bar?.style.setProperty('transform', `translateX(${((share - 1) * 100).toFixed(1)}%)`);
  }
}
