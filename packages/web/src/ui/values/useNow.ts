import { useEffect, useState } from 'react';
import { useInstant } from '../instant.ts';

/** The present time, again and again while `active`; otherwise the time of the last render that was. Of a past moment: that. */
export function useNow(active: boolean, everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  const instant = useInstant();
  const ticks = active && !instant;
  useEffect(() => {
    if (!ticks) return;
    // A component that was inactive is out of date; one that has just rendered need not render again.
    setNow((shown) => (Date.now() - shown < everyMs ? shown : Date.now()));
    return onTick(everyMs, setNow);
  }, [ticks, everyMs]);
  return instant?.atMs ?? now;
}

type Listener = (now: number) => void;
const clocks = new Map<number, { listeners: Set<Listener>; timer: ReturnType<typeof setInterval> }>();

/** One clock for all that tick alike: a list of a hundred rows is drawn again once, not a hundred times. */
function onTick(everyMs: number, listener: Listener): () => void {
  const running = clocks.get(everyMs);
  const listeners = running?.listeners ?? new Set<Listener>();
  const clock = running ?? { listeners, timer: setInterval(() => tick(listeners), everyMs) };
  clocks.set(everyMs, clock);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || clocks.get(everyMs) !== clock) return;
    clearInterval(clock.timer);
    clocks.delete(everyMs);
  };
}

function tick(listeners: ReadonlySet<Listener>): void {
  const now = Date.now();
  for (const listener of listeners) listener(now);
}
