import type { AlertRule } from '@millrace/contract';
import type { FlowEventRecord, Store } from '@millrace/store';
import type { Membership } from '../cluster/membership.ts';
import { ChannelSecrets, type SecretParts } from './channelSecrets.ts';
import { AlertEvaluator } from './evaluator.ts';
import { IncidentRecorder } from './recorder.ts';
import { readRules, type Stored } from './records.ts';
import { AlertSender, type SenderParts } from './sender.ts';
import { UsualDurations } from './usualDurations.ts';
import { WatchedEvents } from './watchedEvents.ts';

export interface AlertParts extends SecretParts, Omit<SenderParts, 'secrets' | 'url' | 'isAlone'> {
  readonly store: Store;
  /** Absent on a single server. */
  readonly membership?: Membership | undefined;
}

const rulesForMs = 2_000;

/** Alerts and the failure groups of the inbox: from state changes to messages. */
export class Alerts {
  readonly secrets: ChannelSecrets;
  readonly watched: WatchedEvents;
  readonly sender: AlertSender;
  readonly evaluator: AlertEvaluator;
  readonly usualDurations: UsualDurations;
  readonly #parts: AlertParts;
  readonly #recorder: IncidentRecorder;
  #rules: readonly AlertRule[] = [];
  #readAt = 0;

  constructor(parts: AlertParts) {
    this.#parts = parts;
    const { store, clock, config, membership } = parts;
    this.secrets = new ChannelSecrets(parts);
    this.watched = new WatchedEvents(clock);
    this.usualDurations = new UsualDurations(store, clock);
    const wakeSender = () => this.sender.wake();
    this.sender = new AlertSender({
      ...parts,
      secrets: this.secrets,
      url: config.url,
      isAlone: membership === undefined,
    });
    this.#recorder = new IncidentRecorder({ ...parts, rules: () => this.#currentRules(), wakeSender });
    this.evaluator = new AlertEvaluator({
      ...parts,
      usualDurations: this.usualDurations,
      refresh: () => this.refresh(),
      isEvaluator: () => isFirst(membership),
      wakeSender,
    });
  }

  async start(): Promise<void> {
    await this.refresh();
    this.evaluator.start();
    await this.sender.start();
  }

  async stop(): Promise<void> {
    await this.evaluator.stop();
    await this.#recorder.stop();
    await this.sender.stop();
  }

  /** Evaluates state changes that are durable. */
  process(events: readonly FlowEventRecord[]): void {
    this.#recorder.process(events);
  }

  /** Settles when all events so far are recorded and messages that are due were tried. */
  async settle(): Promise<void> {
    await this.#recorder.settle();
    await this.sender.settle();
  }

  /** Reads the rules again: after a change here, and regularly because other servers may have changed them. */
  async refresh(): Promise<readonly Stored<AlertRule>[]> {
    this.#readAt = performance.now();
    const rules = await readRules(this.#parts.store);
    this.#rules = rules.map(({ value }) => value).filter(({ enabled }) => enabled);
    const states = this.#rules.flatMap(({ when }) => (when.type === 'state' ? when.states : []));
    this.watched.watch(
      states,
      this.#rules.some(({ when }) => when.type === 'sla'),
    );
    return rules;
  }

  /** Another server may have saved a rule a moment ago; a single server knows all of them. */
  async #currentRules(): Promise<readonly AlertRule[]> {
    const isOld = performance.now() - this.#readAt > rulesForMs;
    if (this.#parts.membership && isOld) await this.refresh();
    return this.#rules;
  }
}

/** The first live server that runs executions or schedules evaluates for all. */
function isFirst(membership: Membership | undefined): boolean {
  if (!membership) return true;
  const able = membership.active
    .filter(({ roles }) => roles.includes('executor') || roles.includes('scheduler'))
    .map(({ id }) => id)
    .sort();
  return able[0] === membership.id;
}
