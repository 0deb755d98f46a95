import type { Gauge, Metric, Registry } from 'prom-client';
import type { Product } from '../product.ts';
import { bucketSeconds, type Distribution } from './counts.ts';
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

/** Serves metrics. The client library loads on the first scrape, because most servers are never scraped. */
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
  const read = (name: string, help: string, type: 'counter' | 'histogram', values: () => Sample[]) => {
    const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' });
    // Samples are counted elsewhere, even before the library is loaded; the registry only uses these members.
    registry.registerMetric({ name, help, type, get, reset: () => {} } as unknown as Metric);
  };
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
    const count = (name: string, help: string, series: () => Distribution[], hasState: boolean) =>
      read(`${start}_${name}`, help, 'counter', () =>
        series().map(({ labels: { state, ...flow }, count: value }) => ({
          value,
          labels: hasState ? { ...flow, state } : flow,
        })),
      );
    const duration = (name: string, help: string, series: () => Distribution[]) =>
      read(`${start}_${name}`, help, 'histogram', () =>
        series().flatMap((one) => samplesOf(`${start}_${name}`, one)),
      );
    count('executor_execution_started_count_total', 'Executions started', counts.started, false);
    count('executor_execution_end_count_total', 'Executions ended', counts.executions, true);
    count('executor_taskrun_created_count_total', 'Attempts begun', counts.attempts, false);
    count('executor_taskrun_ended_count_total', 'Attempts that this server ran', counts.tasks, true);
    duration('executor_execution_duration_seconds', 'Seconds from creation to end', counts.executions);
    duration('executor_taskrun_ended_duration_seconds', 'Seconds that attempts ran', counts.tasks);
    gauge(`${start}_worker_job_pending`, 'Attempts that wait for a slot', () => worker.waitingCount);
    gauge(`${start}_worker_job_running`, 'Attempts that run', () => worker.runningCount);
    gauge(`${start}_worker_job_thread`, 'Slots', () => worker.slots);
  }
  gauge(`${prefix}_executor_execution_in_memory`, 'Executions held in memory', () => executor.openCount);
  return registry;
}

interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

function samplesOf(name: string, { labels, count, sumSeconds, atMost }: Distribution): Sample[] {
  return [
    ...bucketSeconds.map((le, index) => ({
      value: atMost[index] ?? 0,
      labels: { ...labels, le },
      metricName: `${name}_bucket`,
    })),
    { value: count, labels: { ...labels, le: '+Inf' }, metricName: `${name}_bucket` },
    { value: sumSeconds, labels, metricName: `${name}_sum` },
    { value: count, labels, metricName: `${name}_count` },
  ];
}
