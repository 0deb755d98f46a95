import { performance } from 'node:perf_hooks';
import { AppError } from '@millrace/contract';
import type { Cluster, KnownServer, ServerRecord } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import type { Role } from './role.ts';

/** Of the time after which the others give a silent server up. */
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
  /** While true the others give this server nothing to do. */
  readonly isQuiet?: () => boolean;
}

/**
 * This server among the others: says that it is alive, knows who else is, and buries who is silent for too long. After a
 * time without the database everyone looks dead, so nobody is buried until this server has been heard itself for as long
 * as the others are given.
 */
export class Membership {
  readonly #options: MembershipOptions;
  #poolIds: readonly string[] = [];
  #marksStorage = false;
  #known: readonly KnownServer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #isStopped = false;
  #isTroubled = false;
  #steadySince = 0;
  #lastBeatAt = 0;
  /** When the last beat that arrived was sent. */
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

  /** Everyone whose row is there, also those who are gone. */
  get known(): readonly KnownServer[] {
    return this.#known;
  }

  /** Servers that are alive as far as anyone knows, this one included. */
  get alive(): readonly KnownServer[] {
    return this.#known.filter(({ isGone }) => !isGone);
  }

  get goneIds(): readonly string[] {
    return this.#known.filter(({ isGone }) => isGone).map(({ id }) => id);
  }

  get isAlone(): boolean {
    return this.#known.every(({ id }) => id === this.id);
  }

  /**
   * Nobody has heard of this server for so long that the others will give it up for lost, or already have. It is told
   * earlier than they would say so, for it needs time to act.
   */
  get hasLapsed(): boolean {
    return performance.now() - this.#heardAt > this.#options.deadAfterMs * lapsedShare;
  }

  /** Some server that carries executions on, each in turn; undefined while there is none. */
  pickExecutor(): string | undefined {
    const executors = this.alive.filter(({ roles }) => roles.includes('executor'));
    return executors[this.#nextExecutor++ % Math.max(executors.length, 1)]?.id;
  }

  /** Whether somebody takes the work of this group; of those without one when it is not given. */
  hasWorkers(group: string | undefined): boolean {
    return this.alive.some(({ roles, workerGroup }) => roles.includes('worker') && workerGroup === group);
  }

  /** Makes this server known. */
  async join(): Promise<void> {
    this.#steadySince = performance.now();
    await this.#beat();
  }

  /** Says out of turn that this server is alive. */
  async renew(): Promise<void> {
    if (this.#isStopped)
      throw new AppError('unavailable', 'This server does not say that it is alive any more.');
    await this.#beat();
  }

  /** Under these names its workers hold jobs from now on. */
  async holdJobsAs(poolIds: readonly string[]): Promise<void> {
    this.#poolIds = poolIds;
    await this.#beat();
  }

  /** From now on the others may look for this server's mark where they keep their files. */
  hasMarkedStorage(): void {
    this.#marksStorage = true;
  }

  /** Goes on with it. What there is to do for the others must not keep this server from saying that it is alive. */
  start(): void {
    const turn = async () => {
      try {
        await this.#beat();
        await this.#burySilent();
        if (this.#isTroubled) this.#options.log.info('The other servers can be reached again.');
        this.#isTroubled = false;
      } catch (error) {
        if (!this.#isTroubled && !this.#isStopped)
          this.#options.log.error('This server cannot tell the others that it is alive.', { error });
        this.#isTroubled = true;
      }
      if (!this.#isStopped) this.#timer = setTimeout(next, this.#options.heartbeatMs);
    };
    const next = () => {
      this.#beating = turn();
    };
    this.#timer = setTimeout(next, this.#options.heartbeatMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  /** Leaves for good: what this server has open is free at once. */
  async leave(): Promise<void> {
    await this.#options.cluster.bury([this.id], 0).catch((error: unknown) => {
      this.#options.log.error('This server could not say that it leaves.', { error });
    });
  }

  async #beat(): Promise<void> {
    const sentAt = performance.now();
    this.#known = await this.#options.cluster.beat(this.#self());
    this.#heardAt = Math.max(this.#heardAt, sentAt);
    const now = performance.now();
    if (now - this.#lastBeatAt > this.#options.deadAfterMs / 2) this.#steadySince = now;
    this.#lastBeatAt = now;
  }

  async #burySilent(): Promise<void> {
    const { cluster, deadAfterMs, log } = this.#options;
    if (performance.now() - this.#steadySince < deadAfterMs) return;
    const silent = this.alive.filter(({ id, silentMs }) => id !== this.id && silentMs >= deadAfterMs);
    if (silent.length === 0) return;
    const buried = await cluster.bury(
      silent.map(({ id }) => id),
      deadAfterMs,
    );
    for (const serverId of buried) log.warn('A server is silent; the others take over.', { serverId });
    this.#known = this.#known.map((server) =>
      buried.includes(server.id) ? { ...server, isGone: true } : server,
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
    };
  }
}
