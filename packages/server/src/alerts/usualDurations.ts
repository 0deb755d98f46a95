import type { FlowKey, Store } from '@millrace/store';
import { type UsualDuration, usualDurationOf } from './rules/usualDuration.ts';

const dayMs = 86_400_000;
const overMs = 14 * dayMs;
const keptForMs = 600_000;
const maxKept = 5_000;

/** The usual durations of flows, from the statistics of the last two weeks. Each is kept for ten minutes. */
export class UsualDurations {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #kept = new Map<string, { readonly readAt: number; readonly usual: UsualDuration | undefined }>();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  async of(flow: FlowKey): Promise<UsualDuration | undefined> {
    const key = `${flow.namespace}/${flow.id}`;
    const now = this.#clock();
    const kept = this.#kept.get(key);
    if (kept && Math.abs(now - kept.readAt) < keptForMs) return kept.usual;
    const series = await this.#store.executionStatistics({
      from: now - overMs,
      to: now,
      width: 'day',
      timeZone: 'UTC',
      filters: [{ field: 'state', operation: 'EQUALS', value: 'SUCCESS' }],
      flows: [flow],
    });
    const usual = usualDurationOf(series);
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(key, { readAt: now, usual });
    return usual;
  }
}
