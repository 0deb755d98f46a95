import type { ErrorCode } from '@millrace/contract';
import type { FlowKey } from './flowKey.ts';

/**
 * What servers that share a database know of each other: who is alive, which executions are whose, and what one has to
 * tell another. Ages are measured by the database's clock, so that servers need not agree on the time.
 *
 * A server that is silent for too long is buried: whoever finds that out marks it as gone. From then on its executions
 * may be claimed, which raises their version and so fences it out, should it still be at work.
 */
export interface Cluster {
  /** Says that a server is alive (a buried one comes back with this) and answers everyone known, itself included. */
  beat(self: ServerRecord): Promise<KnownServer[]>;
  /**
   * Marks servers as gone that were silent for this long; 0 for one that is known to have ended. What their workers had
   * begun and the folders they had are told to the owners as lost, and the jobs they held are free again. A server that
   * leaves by itself is drained, and nothing it ran is blamed. Returns the servers that this call has marked.
   */
  bury(ids: readonly string[], silentMs: number, isDrained?: boolean): Promise<string[]>;
  /**
   * Forgets servers that are gone and have left nothing behind. What one has begun after its burial, without ever coming
   * back, is told to the owners now.
   */
  forgetGone(): Promise<void>;

  /**
   * Makes open executions of nobody and of the servers named the own ones, the oldest first. Answers their ids. The new
   * owner finds an `adopt` message for each.
   */
  claim(owner: string, gone: readonly string[], limit: number): Promise<string[]>;
  /** Owners of open executions that no row knows: somebody removed their rows. */
  unknownOwners(): Promise<string[]>;
  /**
   * Gives an execution to a server unless one that is alive has it; the server finds an `adopt` message then. Answers the
   * owner; undefined without such a row.
   */
  acquire(executionId: string, owner: string | undefined): Promise<{ readonly owner?: string } | undefined>;

  /** What a server was told and has not taken yet, in order, without those it has read already. */
  readMessages(owner: string, except: readonly string[], limit: number): Promise<StoredMessage[]>;
  /** What has become of a message: still there, refused, or taken (undefined). */
  findMessage(id: string): Promise<{ readonly refusal?: Refusal } | undefined>;
  /** Takes a message back. */
  withdraw(id: string): Promise<void>;
  /**
   * Puts messages right whose execution has another owner by now, and drops those about executions that are gone.
   * Answers executions that messages wait for and that nobody alive owns.
   */
  redirectMessages(): Promise<string[]>;

  /** Attempts that this worker runs and should not: the execution is gone or being stopped, or it was thought dead. */
  unwantedAttempts(workerId: string): Promise<WorkerAttempt[]>;
  /** Attempts of executions that workers have begun and that were not given up for lost. */
  listAttempts(executionIds: readonly string[]): Promise<WorkerAttempt[]>;
  /** Who has begun an attempt, and whether it was given up for lost. */
  findAttempt(
    attempt: WorkerAttempt,
  ): Promise<{ readonly workerId: string; readonly isLost: boolean } | undefined>;
  /** The folders that a worker has and that open executions need; it is rid of its others. */
  keptFolders(workerId: string): Promise<string[]>;
  /** Tells every server that these task runs are to be stopped. */
  interrupt(taskRunIds: readonly string[]): void;

  /**
   * Frees jobs that somebody has locked and nobody works on: those of queues that no server alive has opened, and those
   * of the own queue that it does not know although they were locked for it this long ago, because the answer got lost.
   * Answers how many.
   */
  freeJobs(
    own: { readonly poolIds: readonly string[]; readonly knownJobIds: readonly string[] },
    olderThanMs: number,
  ): Promise<number>;

  /** Counts executions that run or wait without a row here: the flow had no limit when they started. */
  enrolPlaces(flow: FlowKey): Promise<void>;
  /**
   * Takes a place under a flow's limit: true when the execution has one now; if not it may wait for one. Decisions about
   * one flow never overlap.
   */
  takePlace(
    flow: FlowKey,
    executionId: string,
    wish: { readonly limit: number; readonly waits: boolean },
  ): Promise<boolean>;
  /** Takes one beyond the limit: one that it held already, waited for, or neither. */
  forcePlace(flow: FlowKey, executionId: string): Promise<'held' | 'waited' | 'new'>;
  /** Gives a place back, to wait for one again or for good, and hands out what is free. Answers who got one. */
  fillPlaces(
    flow: FlowKey,
    limit: number,
    leaving?: { readonly executionId: string; readonly waitsAgain: boolean },
  ): Promise<string[]>;
  /** Flows with places of executions that are over, and executions that have a place and do not start. */
  neglectedPlaces(olderThanMs: number): Promise<{
    readonly flows: readonly FlowKey[];
    readonly waiting: readonly string[];
  }>;
}

/** Every worker has a queue of its own beside that of its group: for tasks that share a folder which it has. */
export const ownQueuePrefix = 'millrace:run@';

export interface ServerRecord {
  readonly id: string;
  readonly roles: readonly string[];
  readonly workerGroup?: string;
  readonly startedAt: number;
  /** Under which names its workers hold jobs. */
  readonly poolIds: readonly string[];
  /** Whether it has left a mark where it keeps its files. */
  readonly marksStorage?: boolean;
}

export interface KnownServer extends ServerRecord {
  readonly silentMs: number;
  readonly isGone: boolean;
}

/** For the owner of an execution. A request waits for an answer; everything else is a fact. */
export interface MessageRecord {
  readonly id: string;
  readonly executionId: string;
  /** Who owned the execution when it was sent; none when nobody did. */
  readonly owner?: string;
  /** `adopt`: the execution is new and the owner should carry it on. */
  readonly content:
    | { readonly kind: 'adopt' }
    | { readonly kind: 'fact' | 'request'; readonly event: unknown }
    /** Several that happened one after the other, and are told together. */
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

/** A folder that the tasks below one task run share. Its name is used once. */
export interface WorkerFolder {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly directory: string;
}

/** An attempt that a worker in another process has begun; there is one such row for each that is under way. */
export interface WorkerAttempt {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly attempt: number;
}
