import { isTerminal, type LogRecord, type MetricRecord } from '@millrace/contract';
import type { OpenProduct } from '../openProduct.ts';

/** Records every log line and metric of tasks and compares them with the stored ones at the end. */
export class LineLedger {
  readonly #product: OpenProduct;
  readonly #lines = new Map<string, LogRecord[]>();
  readonly #metrics = new Map<string, MetricRecord[]>();

  constructor(product: OpenProduct) {
    this.#product = product;
    const { logs } = product;
    const addLog = logs.addLog.bind(logs);
    const addMetric = logs.addMetric.bind(logs);
    logs.addLog = (executionId, log) => {
      // Lines of a trigger wait under its next execution, but do not belong to it.
      if (log.executionId !== undefined) note(this.#lines, executionId, log);
      return addLog(executionId, log);
    };
    logs.addMetric = (executionId, metric) => {
      note(this.#metrics, executionId, metric);
      addMetric(executionId, metric);
    };
  }

  /** One sentence for everything that was lost, doubled or left half done. */
  async findViolations(): Promise<string[]> {
    const { store, logs } = this.#product;
    await logs.flush();
    const violations: string[] = [];
    for (const { id } of await store.matchStates([], 0, 1_000)) {
      const stored = await store.getExecution(id);
      if (!stored) continue;
      const { execution, taskRuns } = stored;
      const attempts = new Map(taskRuns.map((taskRun) => [taskRun.id, taskRun.attempts.length]));
      // A task that only computes may run before it is stored, and again when that fails.
      const isKnown = ({ taskRunId, attemptNumber = 0 }: Partial<LogRecord>) =>
        taskRunId === undefined || attemptNumber < (attempts.get(taskRunId) ?? 0);
      const lines = await store.listLogs({ executionId: id });
      violations.push(
        ...compare(
          `log lines of ${id}`,
          (this.#lines.get(id) ?? []).filter(isKnown).map(keyOfLine),
          lines.map(keyOfLine),
        ),
        ...compare(
          `metrics of ${id}`,
          (this.#metrics.get(id) ?? []).filter(isKnown).map(keyOfMetric),
          (await store.listMetrics(id)).map(keyOfMetric),
        ),
      );
      const events = await store.listEvents(id);
      if (events.some(({ seq }, index) => seq !== index + 1))
        violations.push(`The event log of ${id} has a gap.`);
      const open = taskRuns.filter(({ state }) => !isTerminal(state.current));
      if (execution.closedAt !== undefined && open.length > 0)
        violations.push(`The execution ${id} ended with ${open.length} open task runs.`);
    }
    return violations;
  }
}

function note<T>(map: Map<string, T[]>, key: string, value: T): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function compare(what: string, expected: readonly string[], stored: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const key of stored) left.set(key, (left.get(key) ?? 0) + 1);
  const wanted = new Map<string, number>();
  for (const key of expected) wanted.set(key, (wanted.get(key) ?? 0) + 1);
  return [...wanted].flatMap(([key, count]) => {
    const found = left.get(key) ?? 0;
    return found === count ? [] : [`Of the ${what}, ${key} is stored ${found} times instead of ${count}.`];
  });
}

const keyOfLine = ({ taskRunId, attemptNumber, at, level, message }: LogRecord): string =>
  JSON.stringify([taskRunId, attemptNumber, at, level, message]);
const keyOfMetric = ({ taskRunId, at, name, value }: MetricRecord): string =>
  JSON.stringify([taskRunId, at, name, value]);
