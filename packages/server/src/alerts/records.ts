import { AlertChannel, AlertRule } from '@millrace/contract';
import type { DocumentRecord, Op, Store, StoredDocument } from '@millrace/store';
import { z } from 'zod';
import { dataOf, StoredDate } from '../storedDocument.ts';
import { Incident, MessageKind } from './incident.ts';

/** The kinds of records that alerts keep, and the date that each kind is read by. */
export const kinds = {
  /** By the last change. */
  channel: 'alert.channel',
  rule: 'alert.rule',
  /** Open incidents by their last event; the parent is the rule. */
  open: 'alert.open',
  /** Ended incidents by their end; the parent is the rule. */
  ended: 'alert.ended',
  /** Messages to send by the time they are due; the parent is the channel. */
  pending: 'alert.pending',
  /** Messages that were sent or given up, by that time; the parent is the channel. */
  done: 'alert.done',
} as const;

/** More channels or rules than this are refused. */
export const maxDefinitions = 500;

export interface Stored<T> {
  readonly value: T;
  readonly version: number;
  readonly at: number;
}

const Delivery = z.object({
  id: z.string(),
  channelId: z.string(),
  ruleId: z.string(),
  incidentId: z.string(),
  /** The id of the incident's record while it is open. */
  openId: z.string(),
  kind: MessageKind,
  title: z.string(),
  createdAt: StoredDate,
  attempts: z.number().int(),
  /** Set while a server sends it. */
  claimedAt: StoredDate.optional(),
  /** The content, fixed before the first attempt so that a repeated one is identical. */
  content: z.unknown().optional(),
  lastError: z.string().optional(),
  failingSince: StoredDate.optional(),
  outcome: z.enum(['SENT', 'FAILED']).optional(),
});
/** A message to one channel, from the commit that caused it until it is sent. */
export type Delivery = Readonly<z.infer<typeof Delivery>>;

export async function readRules(store: Store): Promise<Stored<AlertRule>[]> {
  const documents = await store.listDocuments({ kind: kinds.rule, limit: maxDefinitions });
  return readAll(documents, (data) => AlertRule.safeParse(data).data);
}

export async function readChannels(store: Store): Promise<Stored<AlertChannel>[]> {
  const documents = await store.listDocuments({ kind: kinds.channel, limit: maxDefinitions });
  return readAll(documents, (data) => AlertChannel.safeParse(data).data);
}

export async function findChannel(store: Store, id: string): Promise<Stored<AlertChannel> | undefined> {
  const document = await store.getDocument(kinds.channel, id);
  return readAll(document ? [document] : [], (data) => AlertChannel.safeParse(data).data)[0];
}

/** Definitions that a later release wrote and this one cannot read are left out. */
function readAll<T>(
  documents: readonly StoredDocument[],
  parse: (data: unknown) => T | undefined,
): Stored<T>[] {
  return documents.flatMap(({ data, version, at }) => {
    const value = parse(data);
    return value === undefined ? [] : [{ value, version, at }];
  });
}

export const incidentOf = (document: StoredDocument): Incident | undefined => dataOf(Incident, document);
export const deliveryOf = (document: StoredDocument): Delivery | undefined => dataOf(Delivery, document);

export const putIncident = (openId: string, incident: Incident, expectVersion: number): Op => ({
  op: 'document.put',
  document: { kind: kinds.open, id: openId, parent: incident.ruleId, at: incident.at, data: incident },
  expectVersion,
});

/** Moves an incident from the open ones to the ended ones. */
export const endIncident = (openId: string, incident: Incident, expectVersion: number): Op[] => [
  { op: 'document.delete', kind: kinds.open, id: openId, expectVersion },
  putEnded(incident),
];

export const putEnded = (incident: Incident): Op => ({
  op: 'document.put',
  document: {
    kind: kinds.ended,
    id: incident.id,
    parent: incident.ruleId,
    at: incident.recoveredAt ?? incident.at,
    data: incident,
  },
});

/** One pending message for each channel of the rule. */
export const putMessages = (
  rule: AlertRule,
  incident: Incident,
  { kind, dueAt }: { readonly kind: MessageKind; readonly dueAt: number },
  { now, newId }: { readonly now: number; readonly newId: () => string },
  openId: string,
): Op[] =>
  [...new Set(rule.channels)].map((channelId) => ({
    op: 'document.put' as const,
    document: pendingDocument(
      {
        id: newId(),
        channelId,
        ruleId: rule.id,
        incidentId: incident.id,
        openId,
        kind,
        title: (kind === 'recovered' ? incident.recoveredTitle : undefined) ?? incident.title,
        createdAt: now,
        attempts: 0,
      },
      dueAt,
    ),
    expectVersion: 0,
  }));

export const pendingDocument = (delivery: Delivery, dueAt: number): DocumentRecord => ({
  kind: kinds.pending,
  id: delivery.id,
  parent: delivery.channelId,
  at: dueAt,
  data: delivery,
});
