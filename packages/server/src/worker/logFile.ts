import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { LogLevel } from '@millrace/contract';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { Attempt, StartedAttempt } from './worker.ts';

export interface LogEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
}

export interface LogFileParts {
  readonly files: Pick<InternalStorage, 'put'>;
  readonly workFolder: string;
}

/** Short lines are written together: a call for each would cost more than the line. */
const blockLength = 65_536;

/** The log of an attempt, or its lines past the limit: a local file first, then in internal storage. */
export class LogFile {
  readonly #attempt: Attempt;
  readonly #started: StartedAttempt;
  readonly #parts: LogFileParts;
  readonly #path: string;
  #stream: WriteStream | undefined;
  #block = '';
  #failure: Error | undefined;
  #isClosed = false;

  constructor(attempt: Attempt, started: StartedAttempt, parts: LogFileParts) {
    this.#attempt = attempt;
    this.#started = started;
    this.#parts = parts;
    this.#path = join(parts.workFolder, `${attempt.taskRunId}-${attempt.attempt}.log`);
  }

  /** Returns a promise when the disk cannot keep up. `close` reports a full disk. */
  add({ at, level, message }: LogEntry): void | Promise<void> {
    if (this.#isClosed || this.#failure) return;
    this.#stream ??= this.#open();
    this.#block += `${new Date(at).toISOString()} ${level} ${message}\n`;
    if (this.#block.length < blockLength) return;
    const block = this.#block;
    this.#block = '';
    if (this.#stream.write(block)) return;
    return once(this.#stream, 'drain').then(
      () => {},
      () => {},
    );
  }

  /** The URI of the whole file; undefined when the log is empty. */
  async close(): Promise<string | undefined> {
    this.#isClosed = true;
    const stream = this.#stream;
    if (!stream) return undefined;
    try {
      if (this.#failure) throw this.#failure;
      stream.end(this.#block);
      await finished(stream);
      return await this.#parts.files.put(this.#place(), createReadStream(this.#path));
    } finally {
      await rm(this.#path, { force: true });
    }
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.#path, { mode: 0o600 });
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
    return stream;
  }

  #place(): string[] {
    const { taskRunId, attempt, task } = this.#attempt;
    const { id, namespace, flowId } = this.#started.execution;
    const folder = executionFolder({ namespace, flowId, executionId: id });
    return [...folder, 'tasks', task.id, taskRunId, `attempt-${attempt}.log`];
  }
}
