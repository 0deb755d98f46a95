import { AppError, type InstanceAction, type MaintenanceView } from '@millrace/contract';
import { controlKind, type Op, type Store, type StoredDocument } from '@millrace/store';
import { z } from 'zod';
import { type LogLevelName, logLevelNames, type ProcessLog } from '../processLog.ts';
import { dataOf, StoredDate } from '../storedDocument.ts';

/*
 * The switches of operators: maintenance mode, the pause of the scheduler, drained workers and the log level.
 * Each is a document of one kind, so that it survives restarts and all servers on a database share it. Every
 * server keeps the documents in memory and reads them again when another server announces a change, and
 * periodically in case the announcement was lost. A change and its audit entry are one commit.
 */

const Signed = z.object({ by: z.string().optional(), at: StoredDate });
const Maintenance = Signed.extend({
  message: z.string(),
  allowManual: z.boolean(),
  finishRunning: z.boolean().default(false),
});
const Drain = Signed.extend({ workerKey: z.string() });
const LogLevel = Signed.extend({ level: z.enum(logLevelNames) });
const AuditEntry = Signed.extend({ action: z.string(), detail: z.string().optional() });

type Signature = Readonly<z.infer<typeof Signed>>;

const auditKind = 'instance.action';
const auditKeptForMs = 90 * 86_400_000;
const maxAudit = 200;
const maxControls = 1_000;
const drainPrefix = 'drain/';
/** A lost announcement of another server delays its change at most this long. */
const readEveryMs = 15_000;

interface State {
  readonly maintenance: Readonly<z.infer<typeof Maintenance>> | undefined;
  readonly schedulerPause: Signature | undefined;
  readonly drains: ReadonlyMap<string, Readonly<z.infer<typeof Drain>>>;
  readonly logLevel: LogLevelName | undefined;
}

interface MaintenanceOptions {
  readonly message: string;
  readonly allowManual: boolean;
  readonly finishRunning: boolean;
}

interface ControlsParts {
  readonly store: Store;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
}

export class Controls {
  readonly #parts: ControlsParts;
  readonly #configuredLevel: LogLevelName;
  readonly #listeners = new Set<() => void>();
  #state: State = {
    maintenance: undefined,
    schedulerPause: undefined,
    drains: new Map(),
    logLevel: undefined,
  };
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};
  #reading: Promise<void> | undefined;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
    this.#configuredLevel = parts.log.level();
  }

  /** Reads the stored switches. `isShared`: other servers can change them. */
  async start(isShared: boolean): Promise<void> {
    await this.refresh();
    if (!isShared) return;
    const { store, log } = this.#parts;
    const read = () => {
      this.refresh().catch((error: unknown) =>
        log.warn('The controls of the instance could not be read.', { error }),
      );
    };
    this.#stopListening = store.onChange(({ controls, isElsewhere, hasGap }) => {
      if ((controls && isElsewhere) || hasGap) read();
    });
    this.#timer = setInterval(read, readEveryMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening();
    await this.#reading?.catch(() => {});
  }

  /** Calls the listener after each change. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  get areStartsHeld(): boolean {
    return this.#state.maintenance !== undefined;
  }

  /** Running tasks finish, but no task starts. */
  get areTasksHeld(): boolean {
    const { maintenance } = this.#state;
    return maintenance !== undefined && !maintenance.allowManual && !maintenance.finishRunning;
  }

  get isSchedulerPaused(): boolean {
    return this.#state.schedulerPause !== undefined || this.areStartsHeld;
  }

  get schedulerPause(): Signature | undefined {
    return this.#state.schedulerPause;
  }

  get logLevel(): LogLevelName | undefined {
    return this.#state.logLevel;
  }

  get configuredLevel(): LogLevelName {
    return this.#configuredLevel;
  }

  drainOf(serverId: string): Signature | undefined {
    const drain = this.#state.drains.get(serverId);
    return drain && { at: drain.at, ...(drain.by === undefined ? {} : { by: drain.by }) };
  }

  get maintenance(): MaintenanceView {
    const { maintenance } = this.#state;
    const { schedulerPause: pause } = this.#state;
    const { at: pausedAt, ...signed } = pause ?? { at: 0 };
    const paused = pause ? { schedulerPause: { at: new Date(pausedAt).toISOString(), ...signed } } : {};
    if (!maintenance) return { isActive: false, ...paused };
    const { message, allowManual, by, at } = maintenance;
    const { areTasksHeld } = this;
    const startedAt = new Date(at).toISOString();
    return { isActive: true, message, allowManual, areTasksHeld, by, startedAt, ...paused };
  }

  /** Refuses to start an execution during maintenance. */
  refuseStart(source: 'manual' | 'webhook'): void {
    const { maintenance } = this.#state;
    if (!maintenance || (source === 'manual' && maintenance.allowManual)) return;
    const reason = maintenance.message === '' ? '' : `: ${maintenance.message}`;
    throw new AppError('maintenance', `no executions start until maintenance ends${reason}`);
  }

  async startMaintenance(
    { message, allowManual, finishRunning }: MaintenanceOptions,
    by: string | undefined,
  ): Promise<void> {
    await this.#put('maintenance', { message, allowManual, finishRunning }, by, {
      action: 'maintenance.start',
      ...(message === '' ? {} : { detail: message }),
    });
  }

  async endMaintenance(by: string | undefined): Promise<void> {
    if (this.#state.maintenance) await this.#delete('maintenance', by, { action: 'maintenance.end' });
  }

  async pauseScheduler(by: string | undefined): Promise<void> {
    if (!this.#state.schedulerPause) await this.#put('scheduler', {}, by, { action: 'scheduler.pause' });
  }

  async resumeScheduler(by: string | undefined): Promise<void> {
    if (this.#state.schedulerPause) await this.#delete('scheduler', by, { action: 'scheduler.resume' });
  }

  async drain(serverId: string, workerKey: string, by: string | undefined): Promise<void> {
    if (this.drainOf(serverId)) return;
    await this.#put(drainPrefix + serverId, { workerKey }, by, { action: 'worker.drain', detail: serverId });
  }

  async resumeWorker(serverId: string, by: string | undefined): Promise<void> {
    if (!this.drainOf(serverId)) return;
    await this.#delete(drainPrefix + serverId, by, { action: 'worker.resume', detail: serverId });
  }

  async changeLogLevel(level: LogLevelName | null, by: string | undefined): Promise<void> {
    const audit = { action: 'logLevel.change', detail: level ?? 'configured' } as const;
    if (level === null) await this.#delete('logLevel', by, audit);
    else await this.#put('logLevel', { level }, by, audit);
  }

  /**
   * A server that restarts has a new id on PostgreSQL. It stays drained when the earlier process of the same
   * worker was: the one with the same host, folder and group that is not active.
   */
  async inheritDrain(serverId: string, workerKey: string, active: ReadonlySet<string>): Promise<void> {
    const [before, drain] =
      [...this.#state.drains].find(([id, each]) => each.workerKey === workerKey && !active.has(id)) ?? [];
    if (before === undefined || before === serverId || !drain) return;
    const { at } = drain;
    await this.#parts.store.commit([
      { op: 'document.delete', kind: controlKind, id: drainPrefix + before },
      {
        op: 'document.put',
        document: { kind: controlKind, id: drainPrefix + serverId, at, data: drain },
      },
    ]);
    await this.refresh();
  }

  async listActions(): Promise<InstanceAction[]> {
    const documents = await this.#parts.store.listDocuments({
      kind: auditKind,
      descending: true,
      limit: maxAudit,
    });
    return documents.flatMap((document) => {
      const entry = dataOf(AuditEntry, document);
      if (!entry) return [];
      const { at, ...rest } = entry;
      // `as`: a later release may have written another action; it is shown by its name.
      return [{ ...rest, at: new Date(at).toISOString() } as InstanceAction];
    });
  }

  /** Reads again; concurrent calls share one read. */
  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const documents = await this.#parts.store.listDocuments({ kind: controlKind, limit: maxControls });
    const before = this.#state;
    this.#state = stateOf(documents);
    if (before.logLevel !== this.#state.logLevel)
      this.#parts.log.setLevel(this.#state.logLevel ?? this.#configuredLevel);
    if (JSON.stringify(plain(before)) === JSON.stringify(plain(this.#state))) return;
    for (const listener of this.#listeners) listener();
  }

  async #put(id: string, data: object, by: string | undefined, audit: Audit): Promise<void> {
    const at = this.#parts.clock();
    const signed = { ...data, at, ...(by === undefined ? {} : { by }) };
    await this.#commit(
      { op: 'document.put', document: { kind: controlKind, id, at, data: signed } },
      by,
      audit,
    );
  }

  async #delete(id: string, by: string | undefined, audit: Audit): Promise<void> {
    await this.#commit({ op: 'document.delete', kind: controlKind, id }, by, audit);
  }

  async #commit(change: Op, by: string | undefined, audit: Audit): Promise<void> {
    const { store, clock, newId, log } = this.#parts;
    const at = clock();
    const data = { ...audit, at, ...(by === undefined ? {} : { by }) };
    await store.commit([
      change,
      { op: 'document.put', document: { kind: auditKind, id: newId(), at, data } },
      { op: 'document.sweep', kind: auditKind, before: at - auditKeptForMs },
    ]);
    log.info('An operator changed the instance.', data);
    // A read that began before the commit does not see it.
    await this.#reading?.catch(() => {});
    await this.refresh();
  }
}

type Audit = Pick<InstanceAction, 'action' | 'detail'>;

function stateOf(documents: readonly StoredDocument[]): State {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const read = <T>(id: string, schema: z.ZodType<T>): T | undefined => {
    const document = byId.get(id);
    return document && dataOf(schema, document);
  };
  const drains = documents.flatMap((document) => {
    if (!document.id.startsWith(drainPrefix)) return [];
    const drain = dataOf(Drain, document);
    return drain ? [[document.id.slice(drainPrefix.length), drain] as const] : [];
  });
  return {
    maintenance: read('maintenance', Maintenance),
    schedulerPause: read('scheduler', Signed),
    logLevel: read('logLevel', LogLevel)?.level,
    drains: new Map(drains),
  };
}

const plain = (state: State) => ({ ...state, drains: [...state.drains] });
