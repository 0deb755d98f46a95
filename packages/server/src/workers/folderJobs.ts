import { type Event, taskRunOfDirectory } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import type { Cluster, Op } from '@millrace/store';
import type { Membership } from '../cluster/membership.ts';
import type { FolderRequest, SharedFolders } from '../loops/sharedFolders.ts';
import type { FolderJob } from './job.ts';
import { type LoadRunParts, loadRun } from './loadRun.ts';
import { type SendFactParts, sendFact } from './sendFact.ts';

export interface FolderJobParts extends LoadRunParts, Omit<SendFactParts, 'isStopped'> {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly folders: SharedFolders;
}

/** A folder whose opening takes its worker down must not take all of them. */
const maxTries = 5;

/**
 * Shared folders that this worker has for executions of other servers. Having one is a row that only one worker can
 * insert, in one commit with the message to the owner; from then on the tasks that share it come to this worker's own
 * queue. When the worker is buried the row goes and the owner is told, so that they start over elsewhere.
 */
export class FolderJobs {
  readonly #parts: FolderJobParts;
  /** Folders that are being opened or closed right now. */
  readonly #underWay = new Set<string>();
  #isStopped = false;

  constructor(parts: FolderJobParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Whether tasks may work in it: one that was given up must not be found empty. */
  has(executionId: string, directory: string): boolean {
    return this.#parts.folders.heldFor(executionId).has(directory);
  }

  async run(job: FolderJob, tries: number): Promise<void> {
    const { directory } = job;
    // The same is asked for twice when the owner could not know that it was asked for before.
    if (this.#underWay.has(directory)) return;
    this.#underWay.add(directory);
    try {
      const request = await this.#read(job);
      if (!request) return;
      if (job.folder === 'close') await this.#close(job, request);
      else await this.#open(job, request, tries);
    } finally {
      this.#underWay.delete(directory);
    }
  }

  /** Removes what nobody needs any more: of executions that are over, and of those that started over elsewhere. */
  async sweep(): Promise<void> {
    const { cluster, membership, folders } = this.#parts;
    // Asked for before the rows are read: one that is being opened has its row a moment later.
    const held = folders.held().filter(({ directory }) => !this.#underWay.has(directory));
    if (held.length === 0) return;
    const kept = new Set(await cluster.keptFolders(membership.id));
    for (const { executionId, directory } of held) {
      if (!kept.has(directory) && !this.#underWay.has(directory))
        await folders.remove(executionId, directory);
    }
  }

  /**
   * Work for a folder that is not here (any more). Mostly the owner knows: it was closed, or given up for lost. Should it
   * not know, nobody else would ever tell it, and the execution would wait for ever.
   */
  async tellMissing(
    about: { readonly executionId: string; readonly owner: string },
    directory: string,
  ): Promise<void> {
    const taskRunId = taskRunOfDirectory(directory);
    const lost: Event = { type: 'directoryLost', taskRunId, directory };
    await sendFact({ ...about, taskRunId }, lost, [{ op: 'folder.drop', directory }], this.#sending());
  }

  /** Undefined when this is not wanted, or not wanted any more. */
  async #read({
    executionId,
    taskRunId,
    directory,
    folder,
    task,
  }: FolderJob): Promise<FolderRequest | undefined> {
    const run = await loadRun(executionId, this.#parts);
    const taskRun = run?.taskRun(taskRunId);
    const awaited = run?.awaitedFolder(taskRunId);
    const phase = folder === 'open' ? 'opening' : 'closing';
    if (!run || !taskRun || awaited?.directory !== directory || awaited.phase !== phase) return undefined;
    const variables = run.variables(taskRunId);
    return {
      directory,
      task,
      owner: { execution: run.execution, taskRun, variables, secrets: run.secretTexts() },
    };
  }

  async #open(job: FolderJob, request: FolderRequest, tries: number): Promise<void> {
    const { executionId, taskRunId, directory } = job;
    const { cluster, folders, membership } = this.#parts;
    const about = { type: 'directory', taskRunId, phase: 'opened', directory } as const;
    try {
      if (tries > maxTries) throw new Error(`No worker could open the folder, although ${maxTries} tried.`);
      await folders.open(request);
    } catch (error) {
      await folders.remove(executionId, directory);
      return this.#tell(job, { ...about, error: messageOf(error) });
    }
    const folder = { executionId, taskRunId, directory };
    await this.#tell(job, { ...about, holder: membership.id }, [
      { op: 'folder.hold', folder, workerId: membership.id },
    ]);
    // Another worker may have been faster.
    const kept = await cluster.keptFolders(membership.id);
    if (!kept.includes(directory)) await folders.remove(executionId, directory);
  }

  async #close(job: FolderJob, request: FolderRequest): Promise<void> {
    const { executionId, taskRunId, directory } = job;
    const { folders } = this.#parts;
    if (!this.has(executionId, directory)) return this.tellMissing(job, directory);
    const about = { type: 'directory', taskRunId, phase: 'closed', directory } as const;
    const end = await folders.collect(request).then(
      (outputs) => (outputs ? { ...about, outputs } : about),
      (error: unknown) => ({ ...about, error: messageOf(error) }),
    );
    await this.#tell(job, end, [{ op: 'folder.drop', directory }]);
    await folders.remove(executionId, directory);
  }

  #tell(job: FolderJob, event: Event, alongside: readonly Op[] = []): Promise<void> {
    return sendFact(job, event, alongside, this.#sending());
  }

  #sending() {
    return { ...this.#parts, isStopped: () => this.#isStopped };
  }
}
