import type { TaskRun, TaskRunRecord } from '@millrace/contract';

/** Task runs as the API shows them, or as the engine keeps them (for replay). */
export type GraphTaskRun = TaskRun | TaskRunRecord;

/** Finds the runs of a task below a parent run. */
export class RunIndex {
  readonly #byParent = new Map<string, GraphTaskRun[]>();

  constructor(runs: readonly GraphTaskRun[]) {
    for (const run of runs) {
      const parent = parentOf(run) ?? '';
      const siblings = this.#byParent.get(parent);
      if (siblings) siblings.push(run);
      else this.#byParent.set(parent, [run]);
    }
  }

  /** The latest run of a task under a parent and, in a loop, for one value. */
  find(parentId: string | undefined, taskId: string, value?: string): GraphTaskRun | undefined {
    return this.#byParent
      .get(parentId ?? '')
      ?.findLast((run) => run.taskId === taskId && (value === undefined || run.value === value));
  }

  /** The values of a loop's children in the order in which they were first seen. */
  valuesOf(parentId: string): string[] {
    const values = new Set<string>();
    for (const run of this.#byParent.get(parentId) ?? []) {
      if (run.value !== undefined) values.add(run.value);
    }
    return [...values];
  }
}

const parentOf = (run: GraphTaskRun): string | undefined =>
  'parentTaskRunId' in run ? run.parentTaskRunId : 'parentId' in run ? run.parentId : undefined;
