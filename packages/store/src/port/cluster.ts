import type { ErrorCode } from '@millrace/contract';
import type { FlowKey } from './flowKey.ts';

/**
 * Coordinates servers that share a database: membership, ownership of executions, and messages between
 * servers. The database's clock measures all ages, so the servers' clocks need not agree.
 *
 * Any server marks another one as gone when it misses heartbeats for too long. From then on other servers may
 * claim its executions, which raises their version and so fences the old owner out if it is still running.
 */
export interface Cluster {
  /**
   * Records a heartbeat, which also revives a server marked as gone. Returns all known servers, itself
   * included.
   */
  beat(self: ServerRecord): Promise<KnownServer[]>;
  /**
   * Marks servers as gone that sent no heartbeat for this long; 0 for a server that is known to have ended.
   * Notifies the owners that the attempts and folders of their workers are lost, and unlocks their jobs. A
   * server that shuts down normally is drained: the loss is not counted against its attempts. Returns the
   * servers that this call has marked.
   */
  expire(ids: readonly string[], silentMs: number, isDrained?: boolean): Promise<string[]>;
  /**
   * Deletes the rows of servers that are gone and have nothing left to clean up. Attempts that such a server
   * began after it was marked as gone are reported to the owners as lost now.
   */
  deleteExpired(): Promise<void>;

  /**
   * Claims open executions that have no owner or belong to the named servers, oldest first. Returns their
   * ids. The new owner finds an `adopt` message for each.
   */
  claim(owner: string, gone: readonly string[], limit: number): Promise<string[]>;
  /**
   * Whether there are open executions without an owner or of the named servers, messages, and slots. One cheap
   * statement: a server asks after every heartbeat, and usually there is nothing.
   */
  findNeglected(
    gone: readonly string[],
  ): Promise<{ readonly executions: boolean; readonly messages: boolean; readonly slots: boolean }>;
  /** Owners of open executions that have no server row, because it was removed. */
  unknownOwners(): Promise<string[]>;
  /**
   * Assigns an execution to a server unless a live server owns it; the new owner finds an `adopt` message.
   * Returns the owner; undefined when the execution does not exist.
   */
  acquire(executionId: string, owner: string | undefined): Promise<{ readonly owner?: string } | undefined>;

  /** Messages for a server that it has not taken yet, in order, except those it has already read. */
  readMessages(owner: string, except: readonly string[], limit: number): Promise<StoredMessage[]>;
  /** The status of a message: pending, refused, or taken (undefined). */
  findMessage(id: string): Promise<{ readonly refusal?: Refusal } | undefined>;
  /** Takes a message back. */
  withdraw(id: string): Promise<void>;
  /**
   * Redirects messages whose execution has a new owner, and drops those about executions that are gone.
   * Returns executions that have pending messages and no live owner.
   */
  redirectMessages(): Promise<string[]>;

  /**
   * Attempts this worker must stop: the execution is gone or being stopped, or the attempt was declared lost.
   */
  unwantedAttempts(workerId: string): Promise<WorkerAttempt[]>;
  /** Attempts of these executions that workers have begun and that were not declared lost. */
  listAttempts(executionIds: readonly string[]): Promise<WorkerAttempt[]>;
  /** The worker that has begun an attempt, and whether the attempt was declared lost. */
  findAttempt(
    attempt: WorkerAttempt,
  ): Promise<{ readonly workerId: string; readonly isLost: boolean } | undefined>;
  /** The folders of a worker that open executions need; the rows of its other folders are deleted. */
  keptFolders(workerId: string): Promise<string[]>;
  /** Tells every server that these task runs are to be stopped. */
  interrupt(taskRunIds: readonly string[]): void;

  /**
   * Unlocks jobs that are locked but not being worked on: those locked by queues of no live server, and those
   * locked by the own queue this long ago that it does not know of, because the response was lost. Returns
   * the number of jobs.
   */
  freeJobs(
    own: { readonly poolIds: readonly string[]; readonly knownJobIds: readonly string[] },
    olderThanMs: number,
  ): Promise<number>;

  /** Work that no server has taken yet, for operators. Counts stop at `limit`. */
  pendingWork(limit: number): Promise<PendingWork>;

  /** Counts executions that run or wait without a row here: the flow had no limit when they started. */
  enrolSlots(flow: FlowKey): Promise<void>;
  /**
   * Acquires a concurrency slot of a flow. Returns true when the execution has one now; otherwise it may wait
   * for one. Decisions about one flow are serialized.
   */
  takeSlot(
    flow: FlowKey,
    executionId: string,
    wish: { readonly limit: number; readonly waits: boolean },
  ): Promise<boolean>;
  /**
   * Acquires a slot regardless of the limit. Returns whether the execution held one, waited for one, or
   * neither.
   */
  forceSlot(flow: FlowKey, executionId: string): Promise<'held' | 'waited' | 'new'>;
  /**
   * Releases a slot, because the execution ended, its start was refused, or it waits again, and assigns the free slots.
   * Returns the executions that got one. A slot that was forced again since the end stays.
   */
  fillSlots(
    flow: FlowKey,
    limit: number,
    leaving?: { readonly executionId: string; readonly as: 'ended' | 'refused' | 'waiting' },
  ): Promise<string[]>;
  /**
   * Flows with slots of finished or waiting executions, and executions that have a slot but have not started.
   */
  neglectedSlots(olderThanMs: number): Promise<{
    readonly flows: readonly FlowKey[];
    readonly waiting: readonly string[];
  }>;
}

/** Every worker has its own queue beside that of its group, for tasks that share a folder on that worker. */
export const ownQueuePrefix = 'millrace:run@';

export interface PendingWork {
  /** Jobs for workers, by queue. */
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly oldestAt?: number;
  }[];
  /** Commands and results for the owners of executions. */
  readonly messages: { readonly waiting: number; readonly oldestAt?: number };
}

export interface ServerRecord {
  readonly id: string;
  readonly roles: readonly string[];
  readonly workerGroup?: string;
  readonly startedAt: number;
  /** The names under which its workers lock jobs. */
  readonly poolIds: readonly string[];
  /** Whether it has written a marker into its internal storage. */
  readonly marksStorage?: boolean;
  /** The facts for operators; absent in the rows of earlier releases. */
  readonly status?: ServerStatus;
}

export interface ServerStatus {
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** Identifies the worker over its restarts. */
  readonly workerKey: string;
  readonly logLevel: string;
  /** Task slots of a worker. */
  readonly slots: number;
  readonly running: number;
  /** Tasks that wait for a slot of this worker. */
  readonly waiting: number;
  /** The worker takes no new tasks. */
  readonly isDraining: boolean;
  /** Tasks that have run for a while, the longest first; a bounded number. */
  readonly tasks: readonly RunningTask[];
}

export interface RunningTask {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly taskId: string;
  readonly type: string;
  readonly attempt: number;
  readonly startedAt: number;
}

export interface KnownServer extends ServerRecord {
  readonly silentMs: number;
  readonly isGone: boolean;
}

/** A message to the owner of an execution. A request waits for a response; everything else is a fact. */
export interface MessageRecord {
  readonly id: string;
  readonly executionId: string;
  /** The owner of the execution when the message was sent; absent when it had none. */
  readonly owner?: string;
  /** `adopt`: the execution is new to the owner, which must run it. */
  readonly content:
    | { readonly kind: 'adopt' }
    | { readonly kind: 'fact' | 'request'; readonly event: unknown }
    /** Several facts in order, sent in one message. */
    | { readonly kind: 'facts'; readonly events: readonly unknown[] };
}

/** `content` is undefined when it cannot be read. */
export interface StoredMessage extends Pick<MessageRecord, 'id' | 'executionId'> {
  readonly content: MessageRecord['content'] | undefined;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A folder shared by the tasks below one task run. Its name is never reused. */
export interface WorkerFolder {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly directory: string;
}

/** An attempt that a worker in another process has begun; there is one row for each attempt in progress. */
export interface WorkerAttempt {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly attempt: number;
}
