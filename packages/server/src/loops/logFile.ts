import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogLevel } from '@millrace/contract';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { Attempt, Begun } from './worker.ts';

interface LogFileParts {
  readonly files: Pick<InternalStorage, 'put'>;
  readonly workFolder: string;
  readonly clock: () => number;
}

/** The log of an attempt whose task has `logToFile`: a file here while it runs, and in internal storage afterwards. */
export class LogFile {
  readonly #attempt: Attempt;
  readonly #begun: Begun;
  readonly #parts: LogFileParts;
  readonly #path: string;
  #stream: WriteStream | undefined;

  constructor(attempt: Attempt, begun: Begun, parts: LogFileParts) {
    this.#attempt = attempt;
    this.#begun = begun;
    this.#parts = parts;
    this.#path = join(parts.workFolder, `${attempt.taskRunId}-${attempt.attempt}.log`);
  }

  /** A promise when the disk cannot keep up. */
  add(level: LogLevel, message: string): void | Promise<void> {
    this.#stream ??= createWriteStream(this.#path, { mode: 0o600 });
    const line = `${new Date(this.#parts.clock()).toISOString()} ${level} ${message}\n`;
    if (!this.#stream.write(line)) return once(this.#stream, 'drain').then(() => {});
  }

  /** The URI of the whole log; nothing when nothing was said. */
  async close(): Promise<string | undefined> {
    const stream = this.#stream;
    if (!stream) return undefined;
    stream.end();
    await once(stream, 'close');
    const { taskRunId, attempt, task } = this.#attempt;
    const { id, namespace, flowId } = this.#begun.execution;
    const folder = executionFolder({ namespace, flowId, executionId: id });
    const place = [...folder, 'tasks', task.id, taskRunId, `attempt-${attempt}.log`];
    const uri = await this.#parts.files.put(place, createReadStream(this.#path));
    await rm(this.#path, { force: true });
    return uri;
  }
}
