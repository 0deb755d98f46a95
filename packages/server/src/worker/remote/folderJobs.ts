import { type Event, taskRunOfDirectory } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import type { Cluster, Op } from '@millrace/store';
import type { Membership } from '../../cluster/membership.ts';
import type { FolderRequest, SharedFolders } from '../sharedFolders.ts';
import type { FolderJob } from './job.ts';
import { type LoadRunParts, loadRun } from './loadRun.ts';
import { type ReportResultParts, reportResult } from './reportResult.ts';

export interface FolderJobParts extends LoadRunParts, Omit<ReportResultParts, 'isStopped'> {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly folders: SharedFolders;
}

/** A folder whose opening takes its worker down must not take all of them. */
const maxTries = 5;

/**
 * Shared folders of this worker for executions of other servers. A worker claims a folder by inserting a row,
 * which only one worker can do, in one commit with the message to the owner; from then on the tasks that
 * share it go to this worker's own queue. When the worker is marked dead, the row is removed and the owner is
 * notified, so that they run again elsewhere.
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

  /** Whether tasks can use the folder: an abandoned one must not be found empty. */
  has(executionId: string, directory: string): boolean {
    return this.#parts.folders.heldFor(executionId).has(directory);
  }

  async run(job: FolderJob, tries: number): Promise<void> {
    const { directory } = job;
    // A job may arrive twice when the owner could not know that it was sent before.
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

  /** Removes folders of executions that ended or that restarted elsewhere. */
  async sweep(): Promise<void> {
    const { cluster, membership, folders } = this.#parts;
    // Listed before the rows are read: a folder that is being opened gets its row a moment later.
    const held = folders.held().filter(({ directory }) => !this.#underWay.has(directory));
    if (held.length === 0) return;
    const kept = new Set(await cluster.keptFolders(membership.id));
    for (const { executionId, directory } of held) {
      if (!kept.has(directory) && !this.#underWay.has(directory))
        await folders.remove(executionId, directory);
    }
  }

  /**
   * Reports that the folder of a job is missing here. The owner usually knows because it closed the folder or
   * marked it lost. If it does not know, no other report would arrive, and the execution would wait forever.
   */
  async tellMissing(
    about: { readonly executionId: string; readonly owner: string },
    directory: string,
  ): Promise<void> {
    const taskRunId = taskRunOfDirectory(directory);
    const lost: Event = { type: 'directoryLost', taskRunId, directory };
    await reportResult({ ...about, taskRunId }, lost, [{ op: 'folder.drop', directory }], this.#sending());
  }

  /** Undefined when the folder is not, or no longer, wanted. */
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
    return reportResult(job, event, alongside, this.#sending());
  }

  #sending() {
    return { ...this.#parts, isStopped: () => this.#isStopped };
  }
}
