import { type ExecutionRecord, isTerminal } from '@millrace/contract';
import type { Op } from '../port/op.ts';

interface Written {
  readonly version: number;
  readonly labels: ExecutionRecord['labels'];
  readonly inputs: ExecutionRecord['inputs'];
  readonly trigger: ExecutionRecord['trigger'];
}

/**
 * Remembers what the last commit wrote of each running execution. Labels have separate rows and the inputs
 * and trigger can be large; both hardly ever change. When an update contains the same objects (by identity)
 * as the version it expects, they are already in the database and are not written again. Anything unknown is
 * written.
 */
export class WrittenExecutions {
  readonly #written = new Map<string, Written>();
  readonly #capacity: number;

  constructor(capacity = 50_000) {
    this.#capacity = capacity;
  }

  compare(execution: ExecutionRecord, expectVersion: number): { labels: boolean; origin: boolean } {
    const known = this.#written.get(execution.id);
    if (known === undefined || known.version !== expectVersion) return { labels: false, origin: false };
    return {
      labels: known.labels === execution.labels,
      origin: known.inputs === execution.inputs && known.trigger === execution.trigger,
    };
  }

  remember(execution: ExecutionRecord, version: number): void {
    const { id, labels, inputs, trigger } = execution;
    this.#written.delete(id);
    this.#written.set(id, { version, labels, inputs, trigger });
    if (this.#written.size > this.#capacity) {
      const oldest = this.#written.keys().next();
      if (!oldest.done) this.#written.delete(oldest.value);
    }
  }

  /** Called after a commit. Ended executions are hardly ever written again, so they are not remembered. */
  note(ops: Iterable<Op>): void {
    for (const op of ops) {
      if (op.op === 'execution.delete') this.#written.delete(op.id);
      else if (op.op === 'execution.insert' || op.op === 'execution.update') {
        if (isTerminal(op.execution.state.current)) this.#written.delete(op.execution.id);
        else this.remember(op.execution, op.op === 'execution.insert' ? 1 : op.expectVersion + 1);
      }
    }
  }
}
