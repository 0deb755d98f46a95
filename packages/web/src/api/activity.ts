/** Counts what is under way, so that the progress bar starts with the first request and ends with the last. */
interface Listener {
  /** Something started or ended. */
  readonly onChange: (pending: number, finished: number) => void;
  /** A part of an upload or download arrived. */
  readonly onAdvance: () => void;
}

let pending = 0;
let finished = 0;
/** Activities of an earlier page no longer count. */
let page = 0;
const listeners = new Set<Listener>();

export function onActivity(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Marks the start of something; the returned function marks its end, once. */
export function beginActivity(): () => void {
  pending += 1;
  announce();
  let ended = false;
  const begunOn = page;
  return () => {
    if (ended || begunOn !== page) return;
    ended = true;
    pending -= 1;
    finished += 1;
    announce();
    if (pending === 0) finished = 0;
  };
}

/** Nothing is under way from now on; what has begun before ends unnoticed. */
export function resetActivity(): void {
  page += 1;
  pending = 0;
  finished = 0;
}

export function advanceActivity(): void {
  for (const { onAdvance } of listeners) onAdvance();
}

function announce(): void {
  for (const { onChange } of listeners) onChange(pending, finished);
}
