import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  defineTrigger,
  isMap,
  type JsonMap,
  text,
  textOf,
  type WebhookDecision,
  type WebhookReply,
  type WebhookRequest,
} from '@millrace/plugin-kit';
import { z } from 'zod';

/** The maximum age of a request; older requests may be replay attacks. */
const oldestMs = 5 * 60_000;

export const slackTrigger = defineTrigger({
  type: 'slack.app.core.Trigger',
  aliases: ['slack.app.Trigger'],
  role: 'webhook',
  title: 'Start an execution by an event, a command or a button of Slack',
  description: `Takes events, slash commands and interactions of a Slack app. Enter the address of the webhook
(\`/api/v1/executions/webhook/{namespace}/{flowId}/{key}\`) as the request URL of the app; the check of the address is answered
by the trigger itself. Requests that are not signed with the \`signingSecret\`, or are older than five minutes, are refused. An
event that Slack sends twice starts one execution.`,
  input: () =>
    z.object({
      key: text()
        .refine((key) => key.length <= 256, 'must hold at most 256 characters')
        .describe('The last part of the address. It may be an expression, such as a secret.'),
      signingSecret: text().describe('The signing secret of the app. Keep it in a secret.'),
      botToken: text()
        .optional()
        .describe('A token that tasks can use as `trigger.token`, stored encrypted.'),
    }),
  output: () =>
    z.object({
      body: z.record(z.string(), z.unknown()).describe('The event, the command or the interaction.'),
      headers: z.record(z.string(), z.array(z.string())).describe('The headers of the request.'),
      parameters: z.record(z.string(), z.array(z.string())).describe('The query parameters.'),
      token: z
        .unknown()
        .optional()
        .describe('The `botToken`; needs a key for encryption in the configuration of the server.'),
    }),
  examples: [
    {
      title: 'Answer a slash command.',
      runs: false,
      code: `id: slack_command
namespace: company.team

tasks:
  - id: answer
    type: slack.app.chats.Post
    token: "{{ secret('SLACK_TOKEN') }}"
    channel: "{{ trigger.body.channel_id }}"
    messageText: "{{ trigger.body.user_name }} asked for {{ trigger.body.text }}"

triggers:
  - id: command
    type: slack.app.core.Trigger
    key: 4wjtkzwVGBM9yKnjm3yv8r
    signingSecret: "{{ secret('SLACK_SIGNING_SECRET') }}"
`,
    },
  ],
  receive: ({ now, seal }, { signingSecret, botToken }, request): WebhookDecision => {
    if (!isSigned(request, signingSecret, now))
      return { refusal: { code: 'unauthorized', message: 'the signature of the request is not valid' } };
    const body = readBody(request);
    if (!body) return { refusal: { code: 'bad-request', message: 'the body of the request cannot be read' } };
    if (body.type === 'url_verification') return { reply: { body: textOf(body.challenge) ?? '' } };
    const { 'x-slack-signature': _, ...headers } = request.headers;
    const token = botToken === undefined ? undefined : seal(botToken);
    const key = textOf(body.event_id);
    return {
      outputs: { body, headers, parameters: request.parameters, ...(token !== undefined && { token }) },
      ...(key !== undefined && { key }),
      // Slack shows the body of the response to the user of a command.
      reply: accepted,
    };
  },
});

const accepted: WebhookReply = { body: '' };

/** `v0=` and the HMAC of version, time and body, compared in constant time. */
function isSigned({ headers, body = '' }: WebhookRequest, secret: string, now: number): boolean {
  const [at = ''] = headers['x-slack-request-timestamp'] ?? [];
  const [given = ''] = headers['x-slack-signature'] ?? [];
  if (!/^\d+$/.test(at) || Math.abs(now - Number(at) * 1000) > oldestMs) return false;
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`);
  const signature = Buffer.from(given);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** Events are JSON; commands are forms; interactions are forms with the JSON in one field. */
function readBody({ headers, body = '' }: WebhookRequest): JsonMap | undefined {
  if (headers['content-type']?.[0]?.includes('json')) return readMap(body);
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.payload !== undefined) return readMap(form.payload);
  return Object.keys(form).length > 0 ? form : undefined;
}

function readMap(written: string): JsonMap | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
