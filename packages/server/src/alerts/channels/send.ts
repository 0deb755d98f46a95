import { type AlertChannel, AppError } from '@millrace/contract';
import {
  createMasker,
  type OutboundClient,
  type PluginCatalogue,
  type TaskContext,
} from '@millrace/plugin-kit';
import type { AlertMessage } from '../message.ts';
import {
  discordPayload,
  mailText,
  pagerDutyPayload,
  signatureOf,
  slackPayload,
  teamsPayload,
  webhookPayload,
} from './payloads.ts';

export interface SendParts {
  readonly outbound: OutboundClient;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
}

/** Ends an attempt early. */
export type Abort = { readonly signal: AbortSignal };

/** An attempt ends after this time, whatever the receiver does. */
export const attemptMs = 15_000;
const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue';
const maxReply = 500;

/** Sends one message through a channel whose secrets are resolved. Throws with the error of the receiver. */
export async function sendAlert(
  channel: AlertChannel,
  message: AlertMessage,
  parts: SendParts & Abort,
): Promise<void> {
  switch (channel.type) {
    case 'mail':
      return sendMail(channel, message, parts);
    case 'slack':
      return post(channel.url, slackPayload(message), {}, message, parts);
    case 'discord':
      return post(channel.url, discordPayload(message), {}, message, parts);
    case 'teams':
      return post(channel.url, teamsPayload(message), {}, message, parts);
    case 'pagerduty': {
      const url = channel.url ?? pagerDutyUrl;
      await post(url, pagerDutyPayload(message, channel.routingKey), {}, message, parts);
      // Neither a test nor an incident that recovered before its message may stay open there.
      if (
        message.kind === 'test' ||
        (message.kind !== 'recovered' && message.incident.recoveredAt !== undefined)
      )
        await post(url, pagerDutyPayload(message, channel.routingKey, 'resolve'), {}, message, parts);
      return;
    }
    case 'webhook': {
      const timestamp = String(Math.floor(parts.clock() / 1_000));
      const body = webhookPayload(message);
      const headers = {
        ...(channel.authorization === undefined ? {} : { authorization: channel.authorization }),
        ...(channel.signingSecret === undefined
          ? {}
          : {
              'x-millrace-timestamp': timestamp,
              'x-millrace-signature': signatureOf(JSON.stringify(body), timestamp, channel.signingSecret),
            }),
      };
      return post(channel.url, body, headers, message, parts);
    }
  }
}

/** Redirects are not followed: the address is a secret, and most receivers lose the body. */
async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  message: AlertMessage,
  { outbound, signal }: SendParts & Abort,
): Promise<void> {
  const response = await outbound.send({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': message.eventId,
      'x-millrace-event-id': message.eventId,
      ...headers,
    },
    body: JSON.stringify(body),
    followRedirects: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
  });
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.length > maxReply) break;
  }
  if (response.status >= 200 && response.status < 300) return;
  const said = text.trim().slice(0, maxReply);
  throw new AppError(
    'unavailable',
    `The receiver responded with status ${response.status}${said === '' ? '.' : `: ${said}`}`,
  );
}

type MailChannel = Extract<AlertChannel, { type: 'mail' }>;

/** Mails go through the task that flows use, so that both support the same servers. */
async function sendMail(
  channel: MailChannel,
  message: AlertMessage,
  { catalogue, outbound, signal }: SendParts & Abort,
): Promise<void> {
  const definition = catalogue.find('email.MailSend')?.definition;
  if (definition?.kind !== 'task' || !('run' in definition))
    throw new AppError('illegal-state', 'This server has no mail plugin.');
  const { host, port, transport, username, password, from, to } = channel;
  const input = definition.input.parse({
    host,
    ...(port === undefined ? {} : { port }),
    transportStrategy: transport,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    from,
    to,
    subject: message.title,
    plainTextContent: mailText(message),
    messageId: `<${message.eventId}@millrace>`,
  });
  // `as`: the mail task uses only these parts of its context.
  const context = {
    connect: outbound.connect,
    lookup: outbound.lookup,
    masker: createMasker([]),
    signal: AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
    log: () => {},
  } as unknown as TaskContext;
  await definition.run(context, input);
}
