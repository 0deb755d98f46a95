import type { Outputs } from './values.ts';

/**
 * A failed task. `retry: false` when a retry cannot help; `outputs` keeps the outputs produced before the
 * failure.
 */
export class TaskFailed extends Error {
  readonly retry: boolean;
  readonly outputs: Outputs | undefined;

  constructor(message: string, options: { retry?: boolean; outputs?: Outputs; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TaskFailed';
    this.retry = options.retry ?? true;
    this.outputs = options.outputs;
  }
}

/** The result of a `run` that succeeded but ends in the state WARNING. */
export class Warning {
  readonly outputs: Outputs;

  constructor(outputs: Outputs) {
    this.outputs = outputs;
  }
}

/** `return warning({ count: 0 })` ends the task in state WARNING with these outputs. */
export const warning = (outputs: Outputs = {}): Warning => new Warning(outputs);

/** The readable text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
