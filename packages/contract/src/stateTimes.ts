import type { StateRecord } from './record.ts';
import { isTerminal } from './state.ts';

export interface StateTimes {
  readonly startedAt: number;
  /** Absent while it can continue by itself. A later change from one end to another is not another end. */
  readonly endedAt?: number;
  /** How long it was open, up to `now`: the time between an end and a restart does not count. */
  readonly durationMs: number;
}

/** The dates and the duration behind a history of states, for the API, the lists and the charts alike. */
export function stateTimes({ current, histories }: StateRecord, now: number): StateTimes {
  const startedAt = histories[0]?.date ?? now;
  let durationMs = 0;
  let openSince: number | undefined = startedAt;
  let endedAt = startedAt;
  for (const { state, date } of histories) {
    if (isTerminal(state)) {
      if (openSince === undefined) continue;
      durationMs += date - openSince;
      endedAt = date;
      openSince = undefined;
    } else openSince ??= date;
  }
  if (openSince === undefined) return { startedAt, endedAt, durationMs };
  const last = histories.at(-1)?.date ?? startedAt;
  const until = current === 'PAUSED' ? last : Math.max(now, last);
  return {
    startedAt,
    ...(current === 'PAUSED' ? { endedAt: last } : {}),
    durationMs: durationMs + until - openSince,
  };
}
