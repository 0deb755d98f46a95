import { mainTenant } from '@millrace/contract';
import { linkToExecution } from '../actions/linkToExecution.ts';
import type { Incident, MessageKind } from './incident.ts';

/** The content of an alert message, before a channel gives it a format. */
export interface AlertMessage {
  /** The same for every attempt, so that receivers can recognize a repetition. */
  readonly eventId: string;
  readonly kind: MessageKind;
  readonly ruleId: string;
  readonly severity: Incident['severity'];
  readonly title: string;
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly link?: string | undefined;
  readonly at: number;
  readonly incident: Pick<
    Incident,
    | 'id'
    | 'condition'
    | 'namespace'
    | 'flowId'
    | 'taskId'
    | 'triggerId'
    | 'executionId'
    | 'openedAt'
    | 'count'
  > & { readonly lastAt: number; readonly recoveredAt?: number | undefined };
}

/** Composes the message about an incident as it is now. `url` is the address of the web app. */
export function composeMessage(
  { eventId, kind }: { readonly eventId: string; readonly kind: MessageKind },
  incident: Incident,
  { url, now }: { readonly url: string | undefined; readonly now: number },
): AlertMessage {
  const { namespace, flowId, taskId, triggerId, executionId, recoveredAt, count } = incident;
  const isResolved = kind === 'recovered' || recoveredAt !== undefined;
  const facts = [
    ['Namespace', namespace],
    ['Flow', flowId],
    ['Task', taskId],
    ['Trigger', triggerId],
    ['Execution', executionId],
    ['Events', count > 1 ? String(count) : undefined],
    ['Since', iso(incident.openedAt)],
    ['Last event', count > 1 ? iso(incident.at) : undefined],
    ['Recovered', recoveredAt === undefined ? undefined : iso(recoveredAt)],
    ['Rule', incident.ruleId],
  ].flatMap(([name, value]) => (name !== undefined && value !== undefined ? [{ name, value }] : []));
  return {
    eventId,
    kind,
    ruleId: incident.ruleId,
    // Receivers that page by severity must not page for a recovery.
    severity: isResolved ? 'info' : incident.severity,
    title: titleOf(kind, isResolved, incident),
    text: firstLines(incident.message ?? ''),
    facts,
    link: url === undefined ? undefined : linkOf(url, incident),
    at: now,
    incident: {
      id: incident.id,
      condition: incident.condition,
      namespace,
      flowId,
      taskId,
      triggerId,
      executionId,
      openedAt: incident.openedAt,
      lastAt: incident.at,
      count,
      recoveredAt,
    },
  };
}

/** A message that waited may be about an incident that has recovered since. */
function titleOf(
  kind: MessageKind,
  isResolved: boolean,
  { title, recoveredTitle = title }: Incident,
): string {
  if (isResolved) return `Recovered: ${recoveredTitle}`;
  return kind === 'repeated' ? `Again: ${title}` : title;
}

export function testMessage(channelId: string, eventId: string, now: number, url?: string): AlertMessage {
  return {
    eventId,
    kind: 'test',
    ruleId: 'test',
    severity: 'info',
    title: 'Test message from Millrace',
    text: `The alert channel "${channelId}" works.`,
    facts: [],
    link: url,
    at: now,
    incident: { id: eventId, condition: 'state', openedAt: now, lastAt: now, count: 1 },
  };
}

function linkOf(url: string, { namespace, flowId, executionId }: Incident): string {
  const base = url.replace(/\/+$/, '');
  if (namespace === undefined || flowId === undefined) return `${base}/${mainTenant}/inbox`;
  return executionId === undefined
    ? `${base}/${mainTenant}/flows/edit/${namespace}/${flowId}`
    : linkToExecution(url, { tenantId: mainTenant, namespace, flowId, id: executionId });
}

const iso = (at: number): string => new Date(at).toISOString();

/** Receivers cut long texts at places of their choice; stack traces are read in the product. */
const firstLines = (text: string): string => text.split('\n').slice(0, 5).join('\n').slice(0, 1_000);
