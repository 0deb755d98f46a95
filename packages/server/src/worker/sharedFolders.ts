import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '@millrace/contract';
import type { LogBuffer } from '../logs/logBuffer.ts';
import { attemptLog } from './attemptLog.ts';
import type { FolderCacheParts } from './folderCache.ts';
import { Interruption } from './interruption.ts';
import { collectSharedFolder, openSharedFolder } from './sharedFolder.ts';
import type { TaskContexts } from './taskContext.ts';
import type { StartedAttempt } from './worker.ts';

export interface SharedFolderParts extends FolderCacheParts {
  readonly contexts: TaskContexts;
  readonly logs: LogBuffer;
  readonly workFolder: string;
}

/** A folder that the children of a task run share, with the data of that task run. */
export interface FolderRequest {
  readonly directory: string;
  readonly task: Task;
  readonly owner: StartedAttempt;
}

/** The shared folders on this machine, by execution. */
export class SharedFolders {
  readonly #parts: SharedFolderParts;
  readonly #held = new Map<string, Set<string>>();

  constructor(parts: SharedFolderParts) {
    this.#parts = parts;
  }

  /** Every folder that was opened here and is not gone, with its execution. */
  held(): readonly { readonly executionId: string; readonly directory: string }[] {
    return [...this.#held].flatMap(([executionId, directories]) =>
      [...directories].map((directory) => ({ executionId, directory })),
    );
  }

  heldFor(executionId: string): ReadonlySet<string> {
    return this.#held.get(executionId) ?? new Set();
  }

  /** Whether the folder exists here, even from a previous process. */
  find(executionId: string, directory: string): boolean {
    const isHere = existsSync(join(this.#parts.workFolder, directory));
    if (isHere) this.#hold(executionId, directory);
    return isHere;
  }

  async open(request: FolderRequest): Promise<void> {
    this.#hold(request.owner.execution.id, request.directory);
    await openSharedFolder(request.task, this.#contextOf(request), this.#parts);
  }

  collect(request: FolderRequest): ReturnType<typeof collectSharedFolder> {
    return collectSharedFolder(request.task, this.#contextOf(request), this.#parts);
  }

  async remove(executionId: string, directory: string): Promise<void> {
    const directories = this.#held.get(executionId);
    directories?.delete(directory);
    if (directories?.size === 0) this.#held.delete(executionId);
    await rm(join(this.#parts.workFolder, directory), { recursive: true, force: true });
  }

  #hold(executionId: string, directory: string): void {
    this.#held.set(executionId, (this.#held.get(executionId) ?? new Set()).add(directory));
  }

  #contextOf({ directory, task, owner }: FolderRequest) {
    const { execution, taskRun } = owner;
    const attempt = {
      executionId: execution.id,
      taskRunId: taskRun.id,
      attempt: 0,
      task,
      sideEffects: true,
      directoryOf: directory,
    };
    const log = attemptLog(attempt, owner, this.#parts);
    return this.#parts.contexts.open(attempt, owner, new Interruption(), log).context;
  }
}
