import {
  choice,
  cutText,
  dropMissing,
  isMap,
  type JsonMap,
  listOf,
  type Outcome,
  text,
} from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const alertTaskType = 'zenduty.ZendutyAlert';
const executionType = 'zenduty.ZendutyExecution';

export const zendutyAlert = defineWebhook({
  type: alertTaskType,
  aliases: ['notifications.zenduty.ZendutyAlert'],
  service: 'Zenduty',
  title: 'Send an alert to Zenduty',
  description:
    'Sends `payload` to the [Events API](https://apidocs.zenduty.com/#tag/events) of Zenduty: `https://www.zenduty.com/api/events/<integration key>/`.',
  examples: [
    oneTask(
      alertTaskType,
      `url: "https://www.zenduty.com/api/events/{{ secret('ZENDUTY_KEY') }}/"
payload: |
  {"alert_type": "warning", "message": "The disk is almost full", "summary": "5 % are left"}`,
      'Open an alert.',
      'zenduty_alert',
    ),
  ],
});

const alertTypes: Record<Outcome, string> = {
  success: 'resolved',
  warning: 'warning',
  failure: 'error',
  running: 'info',
};

export const zendutyExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.zenduty.ZendutyExecution'],
  service: 'Zenduty',
  title: 'Report an execution to Zenduty',
  description: `Sends an alert about an execution, with its state, duration, failed task, your own fields and a link to its
page. An execution that succeeded resolves the alert of its \`entityId\`. Keys of \`payload\` replace those of the report.`,
  properties: {
    message: text().optional().describe('The title of the alert; flow and state when absent.'),
    summary: text().optional().describe('The text of the alert; what happened when absent.'),
    alertType: choice(['CRITICAL', 'ACKNOWLEDGED', 'RESOLVED', 'ERROR', 'WARNING', 'INFO'])
      .optional()
      .describe('The kind of alert; by the state of the execution when absent.'),
    entityId: text().optional().describe('The key by which alerts are joined; the execution when absent.'),
    urls: listOf(text())
      .optional()
      .describe('More links: addresses, or the JSON of `link_url` and `link_text`.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "https://www.zenduty.com/api/events/{{ secret('ZENDUTY_KEY') }}/"
alertType: CRITICAL
entityId: "{{ flow.namespace }}-{{ flow.id }}"`,
    ),
    onFlowFailure(executionType, `url: "https://www.zenduty.com/api/events/{{ secret('ZENDUTY_KEY') }}/"`),
  ],
  message: (report, { message, summary, alertType, entityId, urls = [] }) => {
    const { title, sentence, executionId, outcome, fields, link, customMessage } = report;
    const lines = [customMessage, sentence.replaceAll('`', '')];
    const links = [
      ...(link === undefined ? [] : [toLink(link, 'View execution')]),
      ...urls.map((url) => toLink(url)),
    ];
    return dropMissing({
      message: cutText(message ?? title, 200),
      alert_type: alertType?.toLowerCase() ?? alertTypes[outcome],
      entity_id: entityId ?? executionId,
      summary: summary ?? lines.filter((line) => line !== undefined).join('\n\n'),
      payload: Object.fromEntries(fields),
      urls: links.length === 0 ? undefined : links,
    });
  },
});

function toLink(written: string, words = written): JsonMap {
  try {
    const link: unknown = JSON.parse(written);
    if (isMap(link)) return link;
  } catch {
    // Not JSON: an address.
  }
  return { link_url: written, link_text: words };
}
