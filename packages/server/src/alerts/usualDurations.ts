import type { FlowKey, Store } from '@millrace/store';
import { fewestExecutions, type UsualDuration, usualDurationOf } from './rules/usualDuration.ts';

const dayMs = 86_400_000;
const overMs = 14 * dayMs;
const keptForMs = 600_000;
const maxKept = 5_000;
const maxAsked = 500;

/** The usual durations of flows, from the statistics of the last two weeks. Each is kept for ten minutes. */
export class UsualDurations {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #kept = new Map<string, { readonly readAt: number; readonly usual: UsualDuration | undefined }>();

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Undefined when there are too few executions to call a duration usual. */
  async of(flow: FlowKey): Promise<UsualDuration | undefined> {
    const usual = (await this.ofAll([flow])).get(keyOf(flow));
    return usual && usual.count >= fewestExecutions ? usual : undefined;
  }

  /** The durations of flows by `namespace/id`, also of flows with few executions. */
  async ofAll(flows: readonly FlowKey[]): Promise<ReadonlyMap<string, UsualDuration>> {
    const now = this.#clock();
    const isKept = (flow: FlowKey): boolean =>
      Math.abs(now - (this.#kept.get(keyOf(flow))?.readAt ?? Number.NEGATIVE_INFINITY)) < keptForMs;
    if (this.#kept.size + flows.length > maxKept) this.#kept.clear();
    const missing = flows.filter((flow) => !isKept(flow));
    for (let from = 0; from < missing.length; from += maxAsked)
      await this.#read(missing.slice(from, from + maxAsked), now);
    return new Map(
      flows.flatMap((flow) => {
        const usual = this.#kept.get(keyOf(flow))?.usual;
        return usual ? [[keyOf(flow), usual]] : [];
      }),
    );
  }

  async #read(flows: readonly FlowKey[], now: number): Promise<void> {
    const series = await this.#store.executionStatistics({
      from: now - overMs,
      to: now,
      width: 'day',
      timeZone: 'UTC',
      filters: [{ field: 'state', operation: 'EQUALS', value: 'SUCCESS' }],
      flows,
      groupBy: 'flow',
    });
    const found = new Map(series.map((one) => [`${one.namespace}/${one.flowId}`, one]));
    for (const flow of flows) {
      const one = found.get(keyOf(flow));
      this.#kept.set(keyOf(flow), { readAt: now, usual: one && usualDurationOf([one], 1) });
    }
  }
}

const keyOf = ({ namespace, id }: FlowKey): string => `${namespace}/${id}`;
