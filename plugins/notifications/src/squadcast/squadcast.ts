import { dropMissing, mapOf, text } from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const webhookType = 'squadcast.SquadcastIncomingWebhook';
const executionType = 'squadcast.SquadcastExecution';

export const squadcastWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.squadcast.SquadcastIncomingWebhook'],
  service: 'Squadcast',
  title: 'Send an event to a Squadcast webhook',
  description:
    'Sends `payload` to an [incident webhook](https://support.squadcast.com/integrations/incident-webhook-incident-webhook-api) of Squadcast.',
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('SQUADCAST_WEBHOOK') }}"
payload: |
  {"message": "The disk is almost full", "description": "5 % are left", "priority": "P3"}`,
      'Open an incident.',
      'squadcast_event',
    ),
  ],
});

export const squadcastExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.squadcast.SquadcastExecution'],
  service: 'Squadcast',
  title: 'Report an execution to Squadcast',
  description: `Opens an incident about an execution, with its state, duration, failed task, your own fields and a link to its
page. \`status: resolve\` closes the incident of \`eventId\`. Keys of \`payload\` replace those of the report.`,
  properties: {
    message: text().describe('The title of the incident.'),
    priority: text().optional().describe('`P1` (highest) to `P5`.'),
    eventId: text().optional().describe('The key by which events are joined; the execution when absent.'),
    status: text().optional().describe('`trigger` or `resolve`.'),
    tags: mapOf(text()).optional().describe('The tags of the incident.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('SQUADCAST_WEBHOOK') }}"
message: "{{ flow.id }} failed"
priority: P2
tags:
  team: data`,
    ),
    onFlowFailure(
      executionType,
      `url: "{{ secret('SQUADCAST_WEBHOOK') }}"
message: "{{ trigger.flowId }} failed"`,
    ),
  ],
  message: (summary, { message, priority, eventId, status, tags }) => {
    const { title, sentence, executionId, fields, link, customMessage } = summary;
    const facts = fields.map(([name, value]) => `**${name}:** ${value}`).join('\n');
    const lines = [customMessage, `${title}\n${sentence}`, facts, link && `[View execution](${link})`];
    return dropMissing({
      message,
      description: lines.filter((line) => line !== undefined).join('\n\n'),
      priority,
      status: status?.toLowerCase(),
      event_id: eventId ?? executionId,
      tags,
    });
  },
});
