import { performance } from 'node:perf_hooks';
import { AppError } from '@millrace/contract';
import type { Cluster, KnownServer, ServerRecord, ServerStatus } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { Role } from './role.ts';

/** The interval, as a part of the time after which a server without heartbeats expires. */
const lapsedShare = 2 / 3;

export interface MembershipOptions {
  readonly cluster: Cluster;
  readonly id: string;
  readonly roles: ReadonlySet<Role>;
  readonly workerGroup: string | undefined;
  readonly heartbeatMs: number;
  readonly deadAfterMs: number;
  readonly startedAt: number;
  readonly log: ProcessLog;
  /** While true, other servers assign no work to this one. */
  readonly isQuiet?: () => boolean;
}

/**
 * The heartbeat of this server, and the list of the others. A server that misses heartbeats for too long expires.
 * After an outage of the database every server looks expired, so none is marked until this server has sent heartbeats for
 * that time itself.
 */
export class Membership {
  readonly #options: MembershipOptions;
  #poolIds: readonly string[] = [];
  #marksStorage = false;
  #status: (() => ServerStatus) | undefined;
  #known: readonly KnownServer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #isStopped = false;
  #isTroubled = false;
  #reachableSince = 0;
  #lastBeatAt = 0;
  /** When the last heartbeat that arrived was sent. */
  #heardAt = performance.now();
  #nextExecutor = 0;

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  get heartbeatMs(): number {
    return this.#options.heartbeatMs;
  }

  get carriesOn(): boolean {
    return this.#options.roles.has('executor');
  }

  /** All servers that have a row, also expired ones. */
  get known(): readonly KnownServer[] {
    return this.#known;
  }

  /** Servers that send heartbeats, this one included. */
  get active(): readonly KnownServer[] {
    return this.#known.filter(({ isGone }) => !isGone);
  }

  get goneIds(): readonly string[] {
    return this.#known.filter(({ isGone }) => isGone).map(({ id }) => id);
  }

  get isAlone(): boolean {
    return this.#known.every(({ id }) => id === this.id);
  }

  /**
   * This server has missed heartbeats for so long that the others will soon mark it dead, or already have.
   * The limit is lower than theirs because this server needs time to act.
   */
  get hasLapsed(): boolean {
    return performance.now() - this.#heardAt > this.#options.deadAfterMs * lapsedShare;
  }

  /** A server with the executor role, round robin; undefined while there is none. */
  pickExecutor(): string | undefined {
    const executors = this.active.filter(({ roles }) => roles.includes('executor'));
    return executors[this.#nextExecutor++ % Math.max(executors.length, 1)]?.id;
  }

  /** Whether an active worker of this group takes tasks; without a group, a worker that has none. */
  hasWorkers(group: string | undefined): boolean {
    return this.active.some((server) => takesTasks(server, group));
  }

  /** The same without this server, whose own heartbeat may not say yet that it is drained. */
  hasOtherWorkers(group: string | undefined): boolean {
    return this.active.some((server) => server.id !== this.id && takesTasks(server, group));
  }

  /** Registers this server. */
  async join(): Promise<void> {
    this.#reachableSince = performance.now();
    await this.#beat();
  }

  /** Sends a heartbeat outside of the interval. */
  async renew(): Promise<void> {
    if (this.#isStopped)
      throw new AppError('unavailable', 'This server stopped and sends no more heartbeats.');
    await this.#beat();
  }

  /** Stores the names under which the workers of this server lock jobs. */
  async setPoolIds(poolIds: readonly string[]): Promise<void> {
    this.#poolIds = poolIds;
    await this.#beat();
  }

  /** Lets the others check whether they find this server's file in their storage. */
  hasStorageMarker(): void {
    this.#marksStorage = true;
  }

  /** Every heartbeat carries these facts from now on. */
  reportStatus(status: () => ServerStatus): void {
    this.#status = status;
  }

  /** Starts the heartbeat. It runs apart from other work, so that slow work cannot delay it. */
  start(): void {
    const batch = async () => {
      try {
        await this.#beat();
        await this.#expireSilent();
        if (this.#isTroubled) this.#options.log.info('The other servers can be reached again.');
        this.#isTroubled = false;
      } catch (error) {
        if (!this.#isTroubled && !this.#isStopped)
          this.#options.log.error('This server cannot send its heartbeat.', { error });
        this.#isTroubled = true;
      }
      if (!this.#isStopped) this.#timer = setTimeout(next, this.#options.heartbeatMs);
    };
    const next = () => {
      this.#beating = batch();
    };
    this.#timer = setTimeout(next, this.#options.heartbeatMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  /** Removes this server: its open executions can be claimed at once. */
  async leave(): Promise<void> {
    await this.#options.cluster.expire([this.id], 0).catch((error: unknown) => {
      this.#options.log.error('This server could not say that it leaves.', { error });
    });
  }

  async #beat(): Promise<void> {
    const sentAt = performance.now();
    this.#known = await this.#options.cluster.beat(this.#self());
    this.#heardAt = Math.max(this.#heardAt, sentAt);
    const now = performance.now();
    if (now - this.#lastBeatAt > this.#options.deadAfterMs / 2) this.#reachableSince = now;
    this.#lastBeatAt = now;
  }

  async #expireSilent(): Promise<void> {
    const { cluster, deadAfterMs, log } = this.#options;
    if (performance.now() - this.#reachableSince < deadAfterMs) return;
    const silent = this.active.filter(({ id, silentMs }) => id !== this.id && silentMs >= deadAfterMs);
    if (silent.length === 0) return;
    const expired = await cluster.expire(
      silent.map(({ id }) => id),
      deadAfterMs,
    );
    for (const serverId of expired)
      log.warn('A server missed its heartbeats; other servers take over its work.', { serverId });
    this.#known = this.#known.map((server) =>
      expired.includes(server.id) ? { ...server, isGone: true } : server,
    );
  }

  #self(): ServerRecord {
    const { id, roles, workerGroup, startedAt, isQuiet } = this.#options;
    return {
      id,
      roles: isQuiet?.() ? [] : [...roles],
      ...(workerGroup === undefined ? {} : { workerGroup }),
      startedAt,
      poolIds: this.#poolIds,
      ...(this.#marksStorage ? { marksStorage: true } : {}),
      ...(this.#status ? { status: this.#status() } : {}),
    };
  }
}

const takesTasks = ({ roles, workerGroup, status }: KnownServer, group: string | undefined): boolean =>
  roles.includes('worker') && workerGroup === group && status?.isDraining !== true;
