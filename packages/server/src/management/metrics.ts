import type { Product } from '../product.ts';

/** The text that Prometheus reads. */
export interface Metrics {
  read(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Counts what the loops do. The client library is loaded when someone first asks: most servers are never scraped. */
export function createMetrics(product: Product): Metrics {
  const { executor, worker, counts } = product;
  let opening: ReturnType<typeof openRegistry> | undefined;
  const openRegistry = async () => {
    const { collectDefaultMetrics, Counter, Gauge, Registry } = (await import('prom-client')).default;
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const counter = (name: string, help: string, value: () => number) =>
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(value());
        },
      });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(value());
        },
      });
    for (const prefix of ['millrace', 'kestra']) {
      counter(`${prefix}_executor_execution_started_count_total`, 'Executions started', () => counts.started);
      counter(`${prefix}_executor_execution_end_count_total`, 'Executions ended', () => counts.ended);
      counter(`${prefix}_executor_taskrun_created_count_total`, 'Attempts begun', () => counts.attempts);
      gauge(`${prefix}_worker_job_pending`, 'Attempts that wait for a slot', () => worker.waitingCount);
      gauge(`${prefix}_worker_job_running`, 'Attempts that run', () => worker.runningCount);
      gauge(`${prefix}_worker_job_thread`, 'Slots', () => worker.slots);
    }
    gauge('millrace_executor_execution_in_memory', 'Executions held in memory', () => executor.openCount);
    return registry;
  };
  return {
    read: async () => {
      opening ??= openRegistry();
      const registry = await opening;
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
