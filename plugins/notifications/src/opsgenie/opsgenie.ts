import { cutText, defineTask, dropMissing, listOf, mapOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { sendRequest } from '../base/sendRequest.ts';
import {
  defineWebhookSummary,
  type Login,
  noOutput,
  oneTask,
  onFailure,
  onFlowFailure,
  payloadOf,
  webhookProperties,
} from '../base/serviceTasks.ts';

const alertType = 'opsgenie.OpsgenieAlert';
const executionType = 'opsgenie.OpsgenieExecution';

const authorizationToken = () =>
  text()
    .optional()
    .describe(
      'The `Authorization` header, as in `GenieKey 0123…`. A key alone is sent as a `GenieKey`. Keep it in a secret.',
    );

function login({ authorizationToken: token }: { readonly authorizationToken?: string | undefined }): Login {
  if (token === undefined) return {};
  const authorization = /\s/.test(token.trim()) ? token.trim() : `GenieKey ${token.trim()}`;
  return { headers: { authorization }, secrets: [token, token.trim().split(/\s+/).at(-1)] };
}

export const opsgenieAlert = defineTask({
  type: alertType,
  aliases: ['notifications.opsgenie.OpsgenieAlert'],
  title: 'Send an alert to Opsgenie',
  description:
    'Sends `payload` to the [Alert API](https://docs.opsgenie.com/docs/alert-api) of Opsgenie, usually `https://api.opsgenie.com/v2/alerts`.',
  input: () => z.object({ ...webhookProperties('Opsgenie'), authorizationToken: authorizationToken() }),
  output: noOutput,
  sideEffects: true,
  examples: [
    oneTask(
      alertType,
      `url: https://api.opsgenie.com/v2/alerts
authorizationToken: "GenieKey {{ secret('OPSGENIE_KEY') }}"
payload: |
  {"message": "The disk is almost full", "priority": "P3"}`,
      'Open an alert.',
      'opsgenie_alert',
    ),
  ],
  run: async (context, { url, payload, options, ...rest }) => {
    await sendRequest(context, {
      service: 'Opsgenie',
      url,
      body: payloadOf(payload),
      options,
      ...login(rest),
    });
    return {};
  },
});

/** As Opsgenie lists them: a map from id to kind. */
const toTargets = (targets: Readonly<Record<string, string>> | undefined) =>
  targets && Object.entries(targets).map(([id, type]) => ({ id, type }));

const targets = (who: string) =>
  mapOf(text())
    .optional()
    .describe(`${who}: ids, and what each is: \`team\`, \`user\`, \`escalation\` or \`schedule\`.`);

export const opsgenieExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.opsgenie.OpsgenieExecution'],
  service: 'Opsgenie',
  title: 'Report an execution to Opsgenie',
  description: `Opens an alert about an execution, with its state, duration, failed task, your own fields and a link to its
page. Keys of \`payload\` replace those of the report.`,
  properties: {
    authorizationToken: authorizationToken(),
    message: text().optional().describe('The title of the alert; flow and state when absent.'),
    alias: text().optional().describe('The key by which alerts are joined.'),
    responders: targets('Who is alerted'),
    visibleTo: targets('Who sees the alert'),
    tags: listOf(text()).optional().describe('The tags of the alert.'),
    priority: text().optional().describe('`P1` (highest) to `P5`.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: https://api.opsgenie.com/v2/alerts
authorizationToken: "GenieKey {{ secret('OPSGENIE_KEY') }}"
alias: "{{ flow.namespace }}-{{ flow.id }}"
priority: P2
tags: [data, nightly]
responders:
  4513b7ea-3b91-438f-b7e4-e3e54af9147c: team`,
    ),
    onFlowFailure(
      executionType,
      `url: https://api.opsgenie.com/v2/alerts
authorizationToken: "GenieKey {{ secret('OPSGENIE_KEY') }}"`,
    ),
  ],
  login,
  message: (summary, { message, alias, responders, visibleTo, tags, priority }) => {
    const { title, sentence, link, fields, customMessage, namespace, flowId } = summary;
    const lines = [customMessage, sentence.replaceAll('`', ''), link];
    return dropMissing({
      message: cutText(message ?? title, 130),
      alias: alias && cutText(alias, 512),
      description: cutText(lines.filter((line) => line !== undefined).join('\n\n'), 15_000),
      responders: toTargets(responders),
      visibleTo: toTargets(visibleTo),
      tags: tags?.slice(0, 20).map((tag) => cutText(tag, 50)),
      priority,
      entity: cutText(flowId, 512),
      source: cutText(namespace, 100),
      details: { ...Object.fromEntries(fields), ...(link && { Link: link }) },
    });
  },
});
