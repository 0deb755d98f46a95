import type { TaskRun, TaskRunRecord } from '@millrace/contract';

/** Task runs as the API shows them, or as the engine keeps them (for replay). */
export type GraphTaskRun = TaskRun | TaskRunRecord;

/** Finds the runs of a task below a parent run. */
export class RunIndex {
  readonly #latest = new Map<string, GraphTaskRun>();
  readonly #values = new Map<string, Set<string>>();

  constructor(runs: readonly GraphTaskRun[]) {
    for (const run of runs) {
      const parent = parentOf(run);
      this.#latest.set(keyOf(parent, run.taskId), run);
      if (run.value === undefined) continue;
      this.#latest.set(keyOf(parent, run.taskId, run.value), run);
      const values = this.#values.get(parent ?? '');
      if (values) values.add(run.value);
      else this.#values.set(parent ?? '', new Set([run.value]));
    }
  }

  /** The latest run of a task under a parent and, in a loop, for one value. */
  find(parentId: string | undefined, taskId: string, value?: string): GraphTaskRun | undefined {
    return this.#latest.get(keyOf(parentId, taskId, value));
  }

  /** The values of a loop's children in the order in which they were first seen. */
  valuesOf(parentId: string): string[] {
    return [...(this.#values.get(parentId) ?? [])];
  }
}

const keyOf = (parentId = '', taskId: string, value?: string): string =>
  value === undefined ? `${parentId} ${taskId}` : `${parentId} ${taskId} ${value}`;

const parentOf = (run: GraphTaskRun): string | undefined =>
  'parentTaskRunId' in run ? run.parentTaskRunId : 'parentId' in run ? run.parentId : undefined;
