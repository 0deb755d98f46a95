import type { MetricInfo, TaskContext } from '@millrace/plugin-kit';

const descriptions = {
  processed: 'Records that were read.',
  passed: 'Records that were kept.',
  dropped: 'Records that were left out.',
  failed: 'Records that could not be evaluated.',
  groups: 'Groups that were found.',
} as const;

export type CounterName = keyof typeof descriptions;

export const metricsOf = (...names: readonly CounterName[]): MetricInfo[] =>
  names.map((name) => ({ name, type: 'counter', unit: 'records', description: descriptions[name] }));

/** Counts the outcomes of records and reports them once. */
export class Counters {
  readonly #counts = new Map<CounterName, number>();

  add(name: CounterName): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get(name: CounterName): number {
    return this.#counts.get(name) ?? 0;
  }

  report(context: TaskContext, ...names: readonly CounterName[]): void {
    for (const name of names) context.metric({ name, type: 'counter', value: this.get(name) });
  }
}
