import { cutText, dropMissing, type JsonMap, type Outcome, type Summary, text } from '@millrace/plugin-kit';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const webhookType = 'microsoft365.teams.TeamsIncomingWebhook';
const executionType = 'microsoft365.teams.TeamsExecution';

export const teamsWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.teams.TeamsIncomingWebhook'],
  service: 'Microsoft Teams',
  title: 'Send a message to a Microsoft Teams webhook',
  description: `Sends \`payload\` to a webhook of a Microsoft Teams channel: of a workflow ("When a Teams webhook request is
received"), which takes adaptive cards, or of an older connector, which takes message cards.`,
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('TEAMS_WEBHOOK') }}"
payload: |
  {
    "type": "message",
    "attachments": [
      {
        "contentType": "application/vnd.microsoft.card.adaptive",
        "content": {
          "type": "AdaptiveCard",
          "version": "1.4",
          "body": [{"type": "TextBlock", "text": "{{ flow.id }} is done", "wrap": true}]
        }
      }
    ]
  }`,
      'Send an adaptive card.',
      'teams_card',
    ),
  ],
});

export const teamsExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.teams.TeamsExecution'],
  service: 'Microsoft Teams',
  title: 'Report an execution to Microsoft Teams',
  description: `Sends a report about an execution: its state, duration, failed task, your own fields and a link to its page.
Webhooks of workflows get an adaptive card. Webhooks of the older connectors (addresses at \`webhook.office.com\`) get a
message card, to which \`themeColor\`, \`activityTitle\` and \`activitySubtitle\` belong; an adaptive card shows the latter
two as its title and subtitle. Keys of \`payload\` replace those of the report.`,
  properties: {
    themeColor: text().default('0076D7').describe('The color of a message card, as RGB in hexadecimal.'),
    activityTitle: text().optional().describe('The title; the flow and its state when absent.'),
    activitySubtitle: text().optional().describe('The line below the title; what happened when absent.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('TEAMS_WEBHOOK') }}"
activityTitle: "Load failed"
customFields:
  Environment: production`,
    ),
    onFlowFailure(executionType, `url: "{{ secret('TEAMS_WEBHOOK') }}"`),
  ],
  message: (summary, input) =>
    isConnector(input.url) ? messageCard(summary, input) : adaptiveCard(summary, input),
});

interface TeamsLook {
  readonly themeColor: string;
  readonly activityTitle?: string | undefined;
  readonly activitySubtitle?: string | undefined;
}

const isConnector = (url: string): boolean =>
  URL.canParse(url) && /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/.test(new URL(url).hostname);

const colors: Record<Outcome, string> = {
  success: 'Good',
  warning: 'Warning',
  failure: 'Attention',
  running: 'Accent',
};
const styles: Record<Outcome, string> = {
  success: 'good',
  warning: 'warning',
  failure: 'attention',
  running: 'accent',
};

const plain = (sentence: string): string => sentence.replaceAll('`', '');
const longestText = 1000;

function adaptiveCard(summary: Summary, { activityTitle, activitySubtitle }: TeamsLook): JsonMap {
  const { title, sentence, link, fields, outcome, customMessage } = summary;
  const block = (words: string, more: JsonMap = {}) => ({
    type: 'TextBlock',
    text: cutText(words, longestText),
    wrap: true,
    ...more,
  });
  return {
    type: 'message',
    summary: title,
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: dropMissing({
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          fallbackText: `${title} ${plain(sentence)}`,
          body: [
            {
              type: 'Container',
              style: styles[outcome],
              bleed: true,
              items: [
                block(activityTitle ?? title, { size: 'Large', weight: 'Bolder', color: colors[outcome] }),
                block(activitySubtitle ?? plain(sentence), { spacing: 'None', isSubtle: true }),
              ],
            },
            ...(customMessage === undefined ? [] : [block(customMessage)]),
            {
              type: 'FactSet',
              facts: fields.map(([name, value]) => ({ title: name, value: cutText(value, longestText) })),
            },
          ],
          actions:
            link === undefined ? undefined : [{ type: 'Action.OpenUrl', title: 'View execution', url: link }],
        }),
      },
    ],
  };
}

function messageCard(summary: Summary, { themeColor, activityTitle, activitySubtitle }: TeamsLook): JsonMap {
  const { title, sentence, link, fields, customMessage } = summary;
  return dropMissing({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    themeColor,
    summary: title,
    sections: [
      dropMissing({
        activityTitle: activityTitle ?? title,
        activitySubtitle: activitySubtitle ?? plain(sentence),
        text: customMessage,
        facts: fields.map(([name, value]) => ({ name, value: cutText(value, longestText) })),
        markdown: true,
      }),
    ],
    potentialAction:
      link === undefined
        ? undefined
        : [{ '@type': 'OpenUri', name: 'View execution', targets: [{ os: 'default', uri: link }] }],
  });
}
