import { createHmac } from 'node:crypto';
import type { AlertMessage } from '../message.ts';

const colors = { critical: 'd92d20', error: 'd92d20', warning: 'dc8400', info: '2451d6' } as const;
const isResolved = ({ kind, incident }: AlertMessage): boolean =>
  kind === 'recovered' || incident.recoveredAt !== undefined;
const colorOf = (message: AlertMessage): string =>
  isResolved(message) ? '17803d' : colors[message.severity];

/** The format of Slack's incoming webhooks, which Mattermost, Rocket.Chat and others accept too. */
export function slackPayload(message: AlertMessage): unknown {
  const title = escapeSlack(message.title);
  const heading = message.link === undefined ? `*${title}*` : `*<${message.link}|${title}>*`;
  const text = message.text === '' ? '' : `\n\`\`\`${escapeSlack(message.text)}\`\`\``;
  return {
    text: message.title,
    attachments: [
      {
        color: `#${colorOf(message)}`,
        fallback: message.title,
        mrkdwn_in: ['text'],
        text: `${heading}${text}`,
        fields: message.facts.map(({ name, value }) => ({
          title: name,
          value: escapeSlack(value),
          short: value.length < 40,
        })),
        ts: Math.floor(message.at / 1_000),
      },
    ],
  };
}

/** Slack's markup has three control characters; without this, a message could mention a whole channel. */
const escapeSlack = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export function discordPayload(message: AlertMessage): unknown {
  return {
    // A message mentions no user, whatever the error contains.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: message.title.slice(0, 256),
        ...(message.link === undefined ? {} : { url: message.link }),
        ...(message.text === '' ? {} : { description: message.text }),
        color: Number.parseInt(colorOf(message), 16),
        fields: message.facts.map(({ name, value }) => ({
          name,
          value: value.slice(0, 1_024),
          inline: true,
        })),
        timestamp: new Date(message.at).toISOString(),
      },
    ],
  };
}

/** An adaptive card, as the webhooks of Teams workflows expect it. */
export function teamsPayload(message: AlertMessage): unknown {
  const body = [
    { type: 'TextBlock', text: message.title, weight: 'Bolder', size: 'Medium', wrap: true },
    ...(message.text === '' ? [] : [{ type: 'TextBlock', text: message.text, wrap: true }]),
    { type: 'FactSet', facts: message.facts.map(({ name, value }) => ({ title: name, value })) },
  ];
  const open =
    message.link === undefined ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: message.link }];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
          actions: open,
        },
      },
    ],
  };
}

/** PagerDuty Events v2. The incident is the `dedup_key`, so a repeated message changes the same incident. */
export function pagerDutyPayload(message: AlertMessage, routingKey: string, action?: 'resolve'): unknown {
  const incident = { routing_key: routingKey, dedup_key: message.incident.id };
  if (action === 'resolve' || message.kind === 'recovered') return { ...incident, event_action: 'resolve' };
  return {
    ...incident,
    event_action: 'trigger',
    payload: {
      summary: message.title.slice(0, 1_024),
      source: 'millrace',
      severity: message.severity,
      timestamp: new Date(message.at).toISOString(),
      ...(message.incident.flowId === undefined ? {} : { component: message.incident.flowId }),
      ...(message.incident.namespace === undefined ? {} : { group: message.incident.namespace }),
      class: message.incident.condition,
      custom_details: {
        ...(message.text === '' ? {} : { message: message.text }),
        ...Object.fromEntries(message.facts.map(({ name, value }) => [name, value])),
      },
    },
    ...(message.link === undefined ? {} : { links: [{ href: message.link, text: 'Open in Millrace' }] }),
  };
}

/** The body of the generic webhook. */
export function webhookPayload(message: AlertMessage): unknown {
  const { incident } = message;
  return {
    id: message.eventId,
    type: `alert.${message.kind}`,
    status: message.kind === 'test' ? 'test' : isResolved(message) ? 'resolved' : 'open',
    rule: message.ruleId,
    severity: message.severity,
    title: message.title,
    message: message.text,
    ...(message.link === undefined ? {} : { link: message.link }),
    at: iso(message.at),
    incident: {
      ...incident,
      openedAt: iso(incident.openedAt),
      lastAt: iso(incident.lastAt),
      ...(incident.recoveredAt === undefined ? {} : { recoveredAt: iso(incident.recoveredAt) }),
    },
  };
}

/** The signature covers the date too, so that a receiver can refuse old requests that are sent again. */
export const signatureOf = (body: string, timestamp: string, key: string): string =>
  `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`;

/** The plain text of a mail. */
export function mailText(message: AlertMessage): string {
  return [
    message.title,
    ...(message.text === '' ? [] : ['', message.text]),
    ...(message.facts.length === 0 ? [] : ['']),
    ...message.facts.map(({ name, value }) => `${name}: ${value}`),
    ...(message.link === undefined ? [] : ['', message.link]),
    '',
  ].join('\n');
}

const iso = (at: number): string => new Date(at).toISOString();
