import { setImmediate as turn } from 'node:timers/promises';
import { Conflict, type ExpiredExecution, lockRemoval, type Op, type Store } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import type { InternalStorage } from '../files/internalStorage.ts';
import { executionFolder } from '../files/internalStorage.ts';
import type { ProcessLog } from '../processLog.ts';
import { sweepOutputCache } from '../worker/outputCache.ts';
import { sweepOrphanedFiles } from './orphanedFiles.ts';
import { restoredAt } from './restoredMarker.ts';
import { type RetentionRule, retentionRules } from './retentionRules.ts';

export type JanitorParts = {
  readonly config: Config;
  readonly store: Store;
  readonly files: InternalStorage;
  readonly log: ProcessLog;
  readonly clock: () => number;
};

/** Returns the operations that remove expired data besides executions and logs. */
export type Sweep = (now: number) => readonly Op[];

const sweeps: readonly Sweep[] = [(now) => [{ op: 'kv.sweep', expiredAt: now }]];

/** Small enough that commits of running executions never wait for long. */
const executionsPerBatch = 50;
const logsPerBatch = 500;
const tidyStepsPerRound = 500;
/** A server that has just started has better things to do. */
const firstRoundMs = 60_000;
const sweepFilesEveryMs = 86_400_000;
const sweptAtKey = 'files.sweptAt';
/** The setting with the result of the last round of any server. */
export const lastRoundKey = 'retention.lastRun';

export interface Round {
  readonly executions: number;
  readonly logs: number;
}

/**
 * Removes expired data in small batches between other commits: executions with their task runs, events,
 * labels, logs, metrics and files; log entries of triggers; expired values and cached outputs. Each execution
 * is removed in one commit that requires its ended state, so a concurrent restart wins. Any number of
 * janitors may share one database. Once a day, files of missing executions are removed.
 */
export class Janitor {
  readonly #parts: JanitorParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<Round> | undefined;
  #isStopped = true;
  #hasToldOfRestore = false;

  constructor(parts: JanitorParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    this.#plan(firstRoundMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round?.catch(() => {});
  }

  /** Removes all expired data. */
  runRound(): Promise<Round> {
    this.#round ??= this.#sweepAll().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  #plan(delayMs: number): void {
    this.#timer = setTimeout(() => {
      void this.runRound()
        .catch((error: unknown) =>
          this.#parts.log.warn('Cleaning up failed and is tried again later.', { error }),
        )
        .finally(() => {
          if (!this.#isStopped) this.#plan(this.#parts.config.retention.everyMs);
        });
    }, delayMs);
    this.#timer.unref();
  }

  async #sweepAll(): Promise<Round> {
    const { config, store, clock, log } = this.#parts;
    const now = clock();
    const startedAt = performance.now();
    await store.commit(sweeps.flatMap((sweep) => sweep(now)));
    const done = { executions: 0, logs: 0 };
    const rules = (await this.#mayRemove(now)) ? retentionRules(config.retention) : [];
    for (const { keepMs, ...scope } of rules) {
      const before = now - keepMs;
      done.executions += await this.#repeat(executionsPerBatch, async (limit) => {
        const expired = await store.expiredExecutions({ ...scope, before, limit });
        return { found: expired.length, removed: await this.#removeExecutions(expired, before) };
      });
      done.logs += await this.#repeat(logsPerBatch, async (limit) => {
        const ids = await store.expiredLogs({ ...scope, before, limit });
        if (ids.length > 0) await store.commit([{ op: 'log.remove', ids }]);
        return { found: ids.length, removed: ids.length };
      });
    }
    await this.#sweepCache(now);
    if (rules.length > 0) await this.#sweepFiles(rules, now);
    for (let step = 0; step < tidyStepsPerRound && !this.#isEnding() && (await store.tidy()); step++)
      await turn();
    const lastRun = { at: now, ...done, durationMs: Math.round(performance.now() - startedAt) };
    await store.commit([{ op: 'setting.put', key: lastRoundKey, value: lastRun }]);
    if (done.executions + done.logs > 0)
      log.info('Executions and logs past their retention were removed.', { ...done });
    return done;
  }

  /**
   * Retention pauses for a while after a restore: an operator who restores an old backup wants to see its
   * data, not to have it removed as expired.
   */
  async #mayRemove(now: number): Promise<boolean> {
    const { config, log } = this.#parts;
    const { enabled, afterRestore } = config.retention;
    if (!enabled) return false;
    const since = await restoredAt(config.data);
    const until =
      since === undefined
        ? now
        : since + (afterRestore === 'forever' ? Number.POSITIVE_INFINITY : afterRestore);
    if (until <= now) return true;
    if (!this.#hasToldOfRestore)
      log.info('The data was restored from a backup: nothing is removed from it for now.', {
        ...(Number.isFinite(until) ? { until: new Date(until).toISOString() } : {}),
      });
    this.#hasToldOfRestore = true;
    return false;
  }

  /** Outputs that tasks have kept for later executions. */
  async #sweepCache(now: number): Promise<void> {
    const { config, files, log } = this.#parts;
    const { enabled, keep, namespaces } = config.retention;
    const kept = [keep, ...Object.values(namespaces)].map((each) =>
      !enabled || each === 'forever' ? Number.POSITIVE_INFINITY : each,
    );
    const outputs = await sweepOutputCache(files, now, Math.max(...kept));
    if (outputs > 0) log.info('Expired outputs were removed.', { outputs });
  }

  /** Once a day, whichever server comes first: it walks through the whole storage. */
  async #sweepFiles(rules: readonly RetentionRule[], now: number): Promise<void> {
    const { store, log } = this.#parts;
    const sweptAt = await store.getSetting(sweptAtKey);
    if (typeof sweptAt === 'number' && sweptAt <= now && now - sweptAt < sweepFilesEveryMs) return;
    await store.commit([{ op: 'setting.put', key: sweptAtKey, value: now }]);
    const folders = await sweepOrphanedFiles(this.#parts, rules, now, {
      whileUnlocked: (remove) => this.#whileUnlocked(remove),
      isEnding: () => this.#isEnding(),
    });
    if (folders > 0) log.info('Files of executions that do not exist any more were removed.', { folders });
  }

  /** Repeats batches until one is not full or nothing of it could be removed. */
  async #repeat(
    limit: number,
    batch: (limit: number) => Promise<{ found: number; removed: number }>,
  ): Promise<number> {
    for (let total = 0; ; await turn()) {
      const { found, removed } = await batch(limit);
      total += removed;
      if (found < limit || removed === 0 || this.#isEnding()) return total;
    }
  }

  /** Whether the round ends after its current batch because `stop` was called. */
  #isEnding(): boolean {
    return this.#isStopped && this.#timer !== undefined;
  }

  async #removeExecutions(expired: readonly ExpiredExecution[], closedBefore: number): Promise<number> {
    const removed = await this.#whileUnlocked(() =>
      Promise.all(expired.map((execution) => this.#removeExecution(execution, closedBefore))),
    );
    return removed?.filter(Boolean).length ?? 0;
  }

  /** Removes nothing during a backup, which needs the files of its snapshot. The next round continues. */
  async #whileUnlocked<T>(remove: () => Promise<T>): Promise<T | undefined> {
    const { config } = this.#parts;
    const isAlone = config.database.url === undefined;
    const lock = isAlone ? lockRemoval(config.data) : undefined;
    if (isAlone && !lock) return undefined;
    try {
      return await remove();
    } finally {
      lock?.unlock();
    }
  }

  /** The rows first: files without an execution are only space, an execution without its files is broken. */
  async #removeExecution({ id, ...flow }: ExpiredExecution, closedBefore: number): Promise<boolean> {
    const { store, files } = this.#parts;
    try {
      await store.commit([{ op: 'execution.delete', id, logs: true, metrics: true, closedBefore }]);
    } catch (error) {
      if (error instanceof Conflict) return false;
      throw error;
    }
    await files.deleteBelow(executionFolder({ ...flow, executionId: id }));
    return true;
  }
}
