import type { AlertRule } from '@millrace/contract';
import { Conflict, type Op, type Store } from '@millrace/store';
import { Periodic } from '../cluster/periodic.ts';
import type { ProcessLog } from '../processLog.ts';
import { addOccurrences, type Change, type Incident, openIncidentId, recover, remind } from './incident.ts';
import { endIncident, incidentOf, kinds, putIncident, putMessages, type Stored } from './records.ts';
import { findViolations, type ViolationParts } from './violations.ts';

export interface EvaluatorParts extends ViolationParts {
  readonly store: Store;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Reads the rules again and returns them. */
  readonly refresh: () => Promise<readonly Stored<AlertRule>[]>;
  /** One server of a cluster evaluates; the guards of the records protect against two that try. */
  readonly isEvaluator: () => boolean;
  readonly wakeSender: () => void;
}

const everyMs = 15_000;
const pageSize = 500;
/** Histories are kept for this long. */
const keptForMs = 30 * 86_400_000;
const sweepEveryMs = 3_600_000;

/**
 * Evaluates the rules that do not react to events, and finds out which incidents have recovered. Everything
 * is derived from stored rows, so a restart loses nothing.
 */
export class AlertEvaluator {
  readonly #parts: EvaluatorParts;
  readonly #rounds: Periodic;
  #sweptAt = 0;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
    this.#rounds = new Periodic(everyMs, parts.log, () => this.runRound());
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async runRound(): Promise<void> {
    const rules = await this.#parts.refresh();
    if (!this.#parts.isEvaluator()) return;
    for (const { value: rule, at } of rules) {
      try {
        await this.#evaluate(rule, at);
      } catch (error) {
        if (error instanceof Conflict) continue;
        this.#parts.log.error('An alert rule could not be evaluated.', { ruleId: rule.id, error });
      }
    }
    await this.#closeOrphans(new Set(rules.map(({ value }) => value.id)));
    await this.#sweep();
  }

  async #evaluate(rule: AlertRule, changedAt: number): Promise<void> {
    const { store, clock, newId } = this.#parts;
    const now = clock();
    const open = await store.listDocuments({ kind: kinds.open, parent: rule.id, limit: pageSize });
    if (!rule.enabled) {
      for (const stored of open) {
        const incident = incidentOf(stored);
        if (incident)
          await store.commit(endIncident(stored.id, { ...incident, recoveredAt: now }, stored.version));
      }
      return;
    }
    const violations = await findViolations(rule, changedAt, now, this.#parts);
    const byId = new Map(violations?.map((each) => [openIncidentId(rule.id, each.key), each]));
    for (const stored of open) {
      const incident = incidentOf(stored);
      const violation = byId.get(stored.id);
      byId.delete(stored.id);
      if (!incident) continue;
      if (violation) {
        const change = remind(rule, { ...incident, ...violation, at: now }, now);
        if (change.message) await this.#commit(rule, stored.id, change, stored.version);
      } else if (violations ? true : await this.#hasRecovered(rule, incident)) {
        await this.#commit(rule, stored.id, recover(rule, incident, now), stored.version);
      } else if (now - incident.at > keptForMs) {
        // The flow does not run any more, or was deleted: there is nothing to recover from.
        const ended = { incident: { ...incident, recoveredAt: now } };
        await this.#commit(rule, stored.id, ended, stored.version);
      }
    }
    for (const [id, violation] of byId)
      await this.#commit(rule, id, addOccurrences(rule, undefined, [violation], { now, newId }), 0);
  }

  async #commit(rule: AlertRule, openId: string, change: Change, version: number): Promise<void> {
    const { store, clock, newId } = this.#parts;
    const { incident, message } = change;
    const ops: Op[] =
      incident.recoveredAt === undefined
        ? [putIncident(openId, incident, version)]
        : endIncident(openId, incident, version);
    if (message) ops.push(...putMessages(rule, incident, message, { now: clock(), newId }, openId));
    try {
      await store.commit(ops);
      if (message) this.#parts.wakeSender();
    } catch (error) {
      // A new event changed the incident meanwhile; the next round decides again.
      if (!(error instanceof Conflict)) throw error;
    }
  }

  /** A flow has recovered when its last execution ended later than the last event, in another state. */
  async #hasRecovered(rule: AlertRule, incident: Incident): Promise<boolean> {
    if (incident.flows.length === 0) return false;
    const latest = await this.#parts.store.latestExecutions(incident.flows, 'end');
    const bad: ReadonlySet<string> = new Set(rule.when.type === 'state' ? rule.when.states : []);
    const breached = (memo: Readonly<Record<string, unknown>> | undefined) =>
      rule.when.type === 'sla' && memo?.breaches !== undefined;
    return incident.flows.every(({ namespace, id }) =>
      latest.some(({ execution }) => {
        const { state, memo } = execution;
        const endedAt = state.histories.at(-1)?.date ?? 0;
        return (
          execution.namespace === namespace &&
          execution.flowId === id &&
          endedAt > incident.at &&
          !bad.has(state.current) &&
          state.current !== 'FAILED' &&
          !breached(memo)
        );
      }),
    );
  }

  /** Closes incidents of deleted rules, without a message. */
  async #closeOrphans(ruleIds: ReadonlySet<string>): Promise<void> {
    const { store, clock } = this.#parts;
    const open = await store.listDocuments({ kind: kinds.open, limit: pageSize });
    for (const stored of open) {
      const incident = incidentOf(stored);
      if (!incident || ruleIds.has(stored.parent ?? '')) continue;
      await store
        .commit(endIncident(stored.id, { ...incident, recoveredAt: clock() }, stored.version))
        .catch((error: unknown) => {
          if (!(error instanceof Conflict)) throw error;
        });
    }
  }

  async #sweep(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    if (Math.abs(now - this.#sweptAt) < sweepEveryMs) return;
    this.#sweptAt = now;
    const before = now - keptForMs;
    for (const kind of [
      kinds.ended,
      kinds.done,
      'alert.sla',
      'inbox.group',
      'inbox.failure',
      'inbox.mark',
      'inbox.missed',
    ])
      await store.commit([{ op: 'document.sweep', kind, before }]);
  }
}
