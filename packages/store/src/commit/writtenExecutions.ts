import { type ExecutionRecord, isTerminal } from '@millrace/contract';
import type { Op } from '../port/op.ts';

interface Written {
  readonly version: number;
  readonly labels: ExecutionRecord['labels'];
  readonly inputs: ExecutionRecord['inputs'];
  readonly trigger: ExecutionRecord['trigger'];
}

/**
 * What the last commit wrote of each execution under way. Labels have rows of their own and what an execution was
 * started with can be large; both hardly ever change. When an update carries the very same objects as the version it
 * expects, they are in the database already and are not written again. Anything unknown is simply written.
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

  /** After a commit. Executions that are over are hardly ever written again, so they need no place here. */
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
