import { playgroundKind } from '@millrace/contract';
import type { RunAttempt } from '../worker/worker.ts';

export interface CountedFlow {
  readonly namespace: string;
  readonly flowId: string;
  /** The kind of the execution. Playground executions are not counted. */
  readonly kind?: string | undefined;
}

/** The labels of one series; names are those that boards for other products use. */
export type SeriesLabels = Readonly<Record<'namespace_id' | 'flow_id' | 'state', string>>;

export interface Distribution {
  readonly labels: SeriesLabels;
  count: number;
  sumSeconds: number;
  /** How many were at most as long as each of `bucketSeconds`. */
  readonly atMost: number[];
}

/** From a task that only computes to an execution that takes a day. */
export const bucketSeconds = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];

/** Each flow is a series per state. Later flows share one, so that a server with many flows stays readable. */
export const maxFlows = 1_000;
export const otherFlows: CountedFlow = { namespace: 'other', flowId: 'other' };

/** Counters since the start, by flow and state, for the metrics. */
export class Counts {
  readonly #flows = new Set<string>();
  readonly #started = new Map<string, Distribution>();
  readonly #attempts = new Map<string, Distribution>();
  readonly #executions = new Map<string, Distribution>();
  readonly #tasks = new Map<string, Distribution>();

  executionStarted(flow: CountedFlow): void {
    this.#observe(this.#started, flow, 'CREATED', 0);
  }

  executionEnded(flow: CountedFlow, state: string, durationMs: number): void {
    this.#observe(this.#executions, flow, state, durationMs);
  }

  attemptBegun(flow: CountedFlow): void {
    this.#observe(this.#attempts, flow, 'RUNNING', 0);
  }

  attemptEnded(flow: CountedFlow, state: string, durationMs: number): void {
    this.#observe(this.#tasks, flow, state, durationMs);
  }

  started = (): Distribution[] => [...this.#started.values()];
  attempts = (): Distribution[] => [...this.#attempts.values()];
  executions = (): Distribution[] => [...this.#executions.values()];
  tasks = (): Distribution[] => [...this.#tasks.values()];

  #observe(series: Map<string, Distribution>, flow: CountedFlow, state: string, durationMs: number): void {
    if (flow.kind === playgroundKind) return;
    const { namespace, flowId } = this.#bounded(flow);
    const key = `${namespace}/${flowId}/${state}`;
    let found = series.get(key);
    if (!found) {
      const labels = { namespace_id: namespace, flow_id: flowId, state };
      found = { labels, count: 0, sumSeconds: 0, atMost: bucketSeconds.map(() => 0) };
      series.set(key, found);
    }
    const seconds = Math.max(0, durationMs) / 1_000;
    found.count += 1;
    found.sumSeconds += seconds;
    // Counted twice for each task, so without a pair of each entry.
    for (let index = bucketSeconds.length - 1; index >= 0 && seconds <= bucketSeconds[index]!; index--)
      found.atMost[index] = (found.atMost[index] ?? 0) + 1;
  }

  #bounded(flow: CountedFlow): CountedFlow {
    const key = `${flow.namespace}/${flow.flowId}`;
    if (this.#flows.has(key)) return flow;
    if (this.#flows.size >= maxFlows) return otherFlows;
    this.#flows.add(key);
    return flow;
  }
}

/** Counts what an attempt came to and how long it ran. */
export const countAttempts =
  (runAttempt: RunAttempt, counts: Counts, clock: () => number): RunAttempt =>
  async (attempt, started, interruption) => {
    const startedAt = clock();
    let state = 'FAILED';
    try {
      const end = await runAttempt(attempt, started, interruption);
      state = end.state;
      return end;
    } finally {
      if (interruption.reason !== 'shutdown')
        counts.attemptEnded(started.execution, state, clock() - startedAt);
    }
  };
