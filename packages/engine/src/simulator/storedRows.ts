import type { ExecutionRecord, TaskRunRecord } from '@millrace/contract';
import type { Changes } from '../run/run.ts';
import type { Snapshot } from './invariants.ts';

/** The rows as a store would hold them, written change by change. */
export class StoredRows {
  private execution: ExecutionRecord;
  private readonly taskRuns = new Map<string, TaskRunRecord>();

  constructor({ execution, taskRuns }: Snapshot) {
    this.execution = execution;
    for (const taskRun of taskRuns) this.taskRuns.set(taskRun.id, taskRun);
  }

  write({ execution, taskRuns, removedTaskRunIds }: Changes): void {
    if (execution) this.execution = execution;
    for (const id of removedTaskRunIds) this.taskRuns.delete(id);
    for (const taskRun of taskRuns) this.taskRuns.set(taskRun.id, taskRun);
  }

  read(): Snapshot {
    const taskRuns = [...this.taskRuns.values()].sort((a, b) => a.order - b.order);
    return { execution: this.execution, taskRuns };
  }

  /** As another process reads them: nothing that JSON cannot hold survives. */
  copy(): Snapshot {
    return JSON.parse(JSON.stringify(this.read()));
  }
}
