import { cutText, dropMissing, type Outcome, text } from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const alertType = 'pagerduty.PagerDutyAlert';
const executionType = 'pagerduty.PagerDutyExecution';

export const pagerDutyAlert = defineWebhook({
  type: alertType,
  aliases: ['notifications.pagerduty.PagerDutyAlert'],
  service: 'PagerDuty',
  title: 'Send an event to PagerDuty',
  description:
    'Sends `payload` to the [Events API](https://developer.pagerduty.com/docs/events-api-v2-overview) of PagerDuty, usually `https://events.pagerduty.com/v2/enqueue`.',
  examples: [
    oneTask(
      alertType,
      `url: https://events.pagerduty.com/v2/enqueue
payload: |
  {
    "routing_key": "{{ secret('PAGERDUTY_KEY') }}",
    "event_action": "trigger",
    "payload": {"summary": "The disk is almost full", "source": "{{ flow.namespace }}", "severity": "warning"}
  }`,
      'Open an incident.',
      'pagerduty_event',
    ),
  ],
});

const severities: Record<Outcome, string> = {
  success: 'info',
  warning: 'warning',
  failure: 'error',
  running: 'info',
};

export const pagerDutyExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.pagerduty.PagerDutyExecution'],
  service: 'PagerDuty',
  title: 'Report an execution to PagerDuty',
  description: `Sends an event about an execution, with its state, duration, failed task, your own fields and a link to its
page. The event is of the kind that \`eventAction\` names; otherwise it acknowledges the incident of \`deduplicationKey\`, or
opens one. Keys of \`payload\` replace those of the report.`,
  properties: {
    routingKey: text().optional().describe('The integration key of the service. Keep it in a secret.'),
    deduplicationKey: text().optional().describe('The key of the incident that the event belongs to.'),
    eventAction: text().optional().describe('`trigger`, `acknowledge` or `resolve`.'),
    payloadSummary: text().optional().describe('The title of the incident; flow and state when absent.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: https://events.pagerduty.com/v2/enqueue
routingKey: "{{ secret('PAGERDUTY_KEY') }}"
eventAction: trigger
deduplicationKey: "{{ flow.namespace }}-{{ flow.id }}"`,
    ),
    onFlowFailure(
      executionType,
      `url: https://events.pagerduty.com/v2/enqueue
routingKey: "{{ secret('PAGERDUTY_KEY') }}"`,
    ),
  ],
  login: ({ routingKey }) => ({ secrets: [routingKey] }),
  message: (summary, { routingKey, deduplicationKey, eventAction, payloadSummary }) => {
    const { title, sentence, namespace, flowId, outcome, fields, link, customMessage, executionId } = summary;
    return dropMissing({
      routing_key: routingKey,
      dedup_key: deduplicationKey,
      event_action:
        eventAction?.toLowerCase() ?? (deduplicationKey === undefined ? 'trigger' : 'acknowledge'),
      client: 'Millrace',
      client_url: link,
      payload: {
        summary: cutText(payloadSummary ?? `${title} ${sentence.replaceAll('`', '')}`, 1024),
        source: `${namespace} ${executionId}`,
        severity: severities[outcome],
        component: flowId,
        group: namespace,
        custom_details: { ...Object.fromEntries(fields), ...(customMessage && { Message: customMessage }) },
      },
      links: link === undefined ? undefined : [{ href: link, text: 'View execution' }],
    });
  },
});
