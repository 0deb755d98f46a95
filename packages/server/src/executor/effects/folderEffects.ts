import type { Effect, LiveRun } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import type { Background } from '../../background.ts';
import type { ExecutorParts } from '../executorParts.ts';
import type { ExecutorPort } from '../executorPort.ts';

type Parts = Pick<ExecutorParts, 'folders' | 'remoteWork'>;

/** Opens, collects and removes the folders that tasks of one execution share. */
export class FolderEffects {
  readonly #parts: Parts;
  readonly #executor: ExecutorPort;
  readonly #background: Background;
  /** Folders that are being opened or closed now. */
  readonly #busy = new Set<string>();

  constructor(parts: Parts, executor: ExecutorPort, background: Background) {
    this.#parts = parts;
    this.#executor = executor;
    this.#background = background;
  }

  handle(
    run: LiveRun,
    { effect, taskRunId, directory, task }: Extract<Effect, { effect: 'openDirectory' | 'closeDirectory' }>,
  ): void {
    const executionId = run.execution.id;
    const taskRun = run.taskRun(taskRunId);
    const key = `${effect} ${directory}`;
    // A commit whose response was lost asks twice; collecting from a folder that is being removed would find half of it.
    if (!taskRun || this.#busy.has(key)) return;
    this.#busy.add(key);
    const phase = effect === 'openDirectory' ? 'opened' : 'closed';
    const variables = run.variables(taskRunId);
    const owner = { execution: run.execution, taskRun, variables, secrets: run.secretTexts() };
    const request = { directory, task, owner };
    const { folders } = this.#parts;
    const work = async () => {
      if (phase === 'opened') return void (await folders.open(request));
      const outputs = await folders.collect(request);
      await folders.remove(executionId, directory);
      return outputs;
    };
    const about = { type: 'directory', taskRunId, phase, directory } as const;
    work()
      .then(
        (outputs) => this.#executor.notify(executionId, { ...about, ...(outputs ? { outputs } : {}) }),
        (error: unknown) => this.#executor.notify(executionId, { ...about, error: messageOf(error) }),
      )
      .finally(() => this.#busy.delete(key));
  }

  /** Whether the folder is on this server, or on an active worker. */
  has(
    executionId: string,
    { directory, holder }: { readonly directory: string; readonly holder?: string },
  ): boolean {
    if (holder !== undefined) return this.#parts.remoteWork?.isAlive(holder) ?? false;
    return this.#parts.folders.find(executionId, directory);
  }

  /** Removes the folders that killed or failed tasks left open. */
  removeAll(executionId: string): void {
    const { folders } = this.#parts;
    for (const directory of folders.heldFor(executionId))
      this.#background.run('remove a folder', executionId, () => folders.remove(executionId, directory));
  }
}
