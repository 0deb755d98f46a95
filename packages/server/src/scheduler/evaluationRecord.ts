import type { LogLevel } from '@millrace/contract';
import type { Metric } from '@millrace/plugin-kit';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { EvaluationJob, RecordedWith } from './evaluationJob.ts';

interface Line {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
}

/** Lines past this limit go to the log as if there were no file. */
const mostLines = 5_000;
const mostMetrics = 1_000;

/**
 * Buffers the metrics and, with `logToFile`, the log lines of a trigger until an execution starts: only an
 * execution can store them. Lines of an evaluation that starts nothing go to the log of the trigger.
 */
export class EvaluationRecord {
  readonly #job: EvaluationJob;
  readonly #files: Pick<InternalStorage, 'put'>;
  readonly #say: (line: Line) => void | Promise<void>;
  #lines: Line[] = [];
  #metrics: Metric[] = [];

  constructor(
    job: EvaluationJob,
    files: Pick<InternalStorage, 'put'>,
    say: (line: Line) => void | Promise<void>,
  ) {
    this.#job = job;
    this.#files = files;
    this.#say = say;
  }

  addMetric(metric: Metric): void {
    if (this.#metrics.length < mostMetrics) this.#metrics.push(metric);
  }

  addLine(line: Line): void | Promise<void> {
    if (this.#job.trigger.logToFile !== true || this.#lines.length >= mostLines) return this.#say(line);
    this.#lines.push(line);
  }

  /** Takes the lines and metrics since the last execution, for the execution about to start. */
  async take(executionId = this.#job.executionId): Promise<RecordedWith> {
    const [lines, metrics] = [this.#lines, this.#metrics];
    this.#lines = [];
    this.#metrics = [];
    return {
      ...(metrics.length > 0 ? { metrics } : {}),
      ...(lines.length > 0 ? { logFile: await this.#write(lines, executionId) } : {}),
    };
  }

  /** Writes the remaining lines, which started no execution, to the log of the trigger. */
  async close(): Promise<void> {
    for (const line of this.#lines.splice(0)) await this.#say(line);
  }

  #write(lines: readonly Line[], executionId: string): Promise<string> {
    const { flow, trigger } = this.#job;
    const folder = executionFolder({ namespace: flow.namespace, flowId: flow.id, executionId });
    const text = lines.map(({ at, level, message }) => `${new Date(at).toISOString()} ${level} ${message}\n`);
    return this.#files.put([...folder, 'triggers', `${trigger.id}.log`], text.join(''));
  }
}
