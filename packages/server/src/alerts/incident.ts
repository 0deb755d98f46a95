import { type AlertRule, alertSeverities } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { FlowKey } from '@millrace/store';
import { z } from 'zod';
import { StoredDate } from '../storedDocument.ts';
import { digest } from './rules/cause.ts';
import { endOfQuietHours } from './rules/quietHours.ts';

/*
 * An incident is everything that a rule reports about one subject (a flow, a cause, a trigger) until it
 * recovers. There is at most one open incident per rule and key, which the key of its record guarantees. The
 * functions here are pure: they decide which messages an incident needs and when they are due. Each message
 * is stored in the same commit as the incident.
 */

const Occurrence = z.object({
  key: z.string(),
  title: z.string(),
  /** Names the subject and its past problem, for the message about the recovery. */
  recoveredTitle: z.string().optional(),
  at: StoredDate,
  message: z.string().optional(),
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  taskId: z.string().optional(),
  triggerId: z.string().optional(),
  executionId: z.string().optional(),
});
/** One event that a rule reports. Events with the same key belong to one incident. */
export type Occurrence = Readonly<z.infer<typeof Occurrence>>;

export const Incident = Occurrence.extend({
  id: z.string(),
  ruleId: z.string(),
  condition: z.string(),
  severity: z.enum(alertSeverities),
  openedAt: StoredDate,
  count: z.number().int(),
  /** The flows it is about, at most `maxFlows`: it recovers when all of them have. */
  flows: z.array(z.object({ namespace: z.string(), id: z.string() })).readonly(),
  /** When the last message about it is due. */
  toldAt: StoredDate,
  recoveredAt: StoredDate.optional(),
});
export type Incident = Readonly<z.infer<typeof Incident>>;

export const MessageKind = z.enum(['opened', 'repeated', 'recovered', 'test']);
export type MessageKind = z.infer<typeof MessageKind>;

export interface Change {
  readonly incident: Incident;
  /** The message to store with it. */
  readonly message?: { readonly kind: MessageKind; readonly dueAt: number };
}

const maxFlows = 50;

/** The id of the only open incident of a rule and key. */
export const openIncidentId = (ruleId: string, key: string): string => `${ruleId}/${digest(key)}`;

/** Opens an incident, or adds events to the open one. `occurrences` has at least one event. */
export function addOccurrences(
  rule: AlertRule,
  known: Incident | undefined,
  occurrences: readonly [Occurrence, ...Occurrence[]],
  { now, newId }: { readonly now: number; readonly newId: () => string },
): Change {
  const last = occurrences.at(-1) ?? occurrences[0];
  const flows = mergeFlows(known?.flows ?? [], occurrences);
  const common = {
    ...last,
    ruleId: rule.id,
    condition: rule.when.type,
    severity: rule.severity,
    count: (known?.count ?? 0) + occurrences.length,
    flows,
  };
  if (!known) {
    const dueAt = endOfQuietHours(rule.quietHours, now + milliseconds(rule.groupWait));
    const incident = { ...common, id: newId(), openedAt: occurrences[0].at, toldAt: dueAt };
    return { incident, message: { kind: 'opened', dueAt } };
  }
  const incident = { ...known, ...common, at: Math.max(known.at, last.at) };
  return remind(rule, incident, now);
}

/** A condition still holds: sends a reminder when the rule asks for one and it is time. */
export function remind(rule: AlertRule, incident: Incident, now: number): Change {
  if (rule.repeatEvery === undefined || now - incident.toldAt < milliseconds(rule.repeatEvery))
    return { incident };
  const dueAt = endOfQuietHours(rule.quietHours, now);
  return { incident: { ...incident, toldAt: dueAt }, message: { kind: 'repeated', dueAt } };
}

/**
 * Closes an incident. While its first message still waits (for more events, or for the end of quiet hours),
 * that message tells about the recovery, and no second one is needed.
 */
export function recover(rule: AlertRule, incident: Incident, now: number): Change {
  const recovered = { ...incident, recoveredAt: now };
  if (!rule.recovery || incident.toldAt > now) return { incident: recovered };
  const dueAt = endOfQuietHours(rule.quietHours, now);
  return { incident: recovered, message: { kind: 'recovered', dueAt } };
}

function mergeFlows(known: readonly FlowKey[], occurrences: readonly Occurrence[]): readonly FlowKey[] {
  const flows = new Map(known.map((flow) => [`${flow.namespace}/${flow.id}`, flow]));
  for (const { namespace, flowId } of occurrences) {
    if (namespace === undefined || flowId === undefined || flows.size >= maxFlows) continue;
    flows.set(`${namespace}/${flowId}`, { namespace, id: flowId });
  }
  return [...flows.values()];
}

const milliseconds = (text: string): number => parseDuration(text) ?? 0;
