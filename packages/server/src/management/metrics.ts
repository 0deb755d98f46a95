import type { Counter, Gauge, Registry } from 'prom-client';
import type { Product } from '../product.ts';
import { json, type Page } from './page.ts';

export interface Metrics {
  /** The text that Prometheus reads. */
  readText(): Promise<Page>;
  /** The names of all meters. */
  list(): Promise<Page>;
  readOne(name: string): Promise<Page>;
}

/** Boards made for another product find its names, too. */
const knownPrefix = 'kestra';

/** Counts what the loops do. The client library is loaded when someone first asks: most servers are never scraped. */
export function createMetrics(product: Product): Metrics {
  let opening: Promise<Registry> | undefined;
  const open = () => {
    opening ??= openRegistry(product);
    return opening;
  };
  return {
    readText: async () => {
      const registry = await open();
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    },
    list: async () =>
      json(200, {
        names: (await open())
          .getMetricsAsArray()
          .map(({ name }) => name)
          .sort(),
      }),
    readOne: async (name) => {
      const metric = (await open()).getSingleMetric(name);
      if (!metric) return json(404, { message: `There is no meter "${name}".` });
      const { help, values } = await metric.get();
      return json(200, {
        name,
        description: help,
        measurements: values.map(({ value, labels }) => ({ statistic: 'VALUE', value, tags: labels })),
      });
    },
  };
}

async function openRegistry(product: Product): Promise<Registry> {
  const library = (await import('prom-client')).default;
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = (name: string, help: string, value: () => number): Counter =>
    new library.Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  const gauge = (name: string, help: string, value: () => number): Gauge =>
    new library.Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  const { executor, worker, counts, config } = product;
  const { prefix, knownNames } = config.metrics;
  for (const start of new Set([prefix, ...(knownNames ? [knownPrefix] : [])])) {
    counter(`${start}_executor_execution_started_count_total`, 'Executions started', () => counts.started);
    counter(`${start}_executor_execution_end_count_total`, 'Executions ended', () => counts.ended);
    counter(`${start}_executor_taskrun_created_count_total`, 'Attempts begun', () => counts.attempts);
    counter(
      `${start}_executor_execution_duration_seconds_count`,
      'Executions whose duration is known',
      () => counts.ended,
    );
    counter(
      `${start}_executor_execution_duration_seconds_sum`,
      'Seconds from creation to end',
      () => counts.durationMs / 1_000,
    );
    gauge(`${start}_worker_job_pending`, 'Attempts that wait for a slot', () => worker.waitingCount);
    gauge(`${start}_worker_job_running`, 'Attempts that run', () => worker.runningCount);
    gauge(`${start}_worker_job_thread`, 'Slots', () => worker.slots);
  }
  gauge(`${prefix}_executor_execution_in_memory`, 'Executions held in memory', () => executor.openCount);
  return registry;
}
