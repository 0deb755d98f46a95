import { cutText, dropMissing, type JsonMap, type Outcome, type Summary } from '@millrace/plugin-kit';
import { escapeSlack } from './slackText.ts';

/** The longest text of a section, and of a field of an attachment that clients show whole. */
const longestSection = 3000;
const longestField = 2000;

const colors: Record<Outcome, string> = {
  success: 'good',
  warning: 'warning',
  failure: 'danger',
  running: '#3b5bdb',
};

export interface SlackLook {
  readonly channel?: string | undefined;
  readonly username?: string | undefined;
  readonly iconUrl?: string | undefined;
  readonly iconEmoji?: string | undefined;
}

/**
 * A report as Slack shows it: the title with its link, what happened, a button, and the facts in two columns beside a
 * bar in the color of the state. `text` is what notifications and screen readers show.
 */
export function slackSummary(summary: Summary, look: SlackLook): JsonMap {
  const { title, sentence, link, customMessage, fields, outcome } = summary;
  const name = `*${escapeSlack(title)}*`;
  const headline = link === undefined ? name : `*<${link}|${escapeSlack(title)}>*`;
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: cutText(text, longestSection) },
  });
  const main = section(`${headline}\n> ${escapeSlack(sentence)}`);
  const button = link && {
    type: 'button',
    text: { type: 'plain_text', text: 'Details' },
    url: link,
    value: 'details',
  };
  return dropMissing({
    text: `${headline} ${escapeSlack(sentence)}`,
    blocks: [
      ...(customMessage === undefined ? [] : [section(customMessage)]),
      button ? { ...main, accessory: button } : main,
    ],
    attachments: [
      {
        color: colors[outcome],
        fallback: `${title} ${sentence}`,
        mrkdwn_in: ['fields'],
        fields: fields.map(([fieldTitle, value]) => ({
          title: fieldTitle,
          value: cutText(escapeSlack(value), longestField),
          short: value.length <= 40,
        })),
      },
    ],
    channel: look.channel,
    username: look.username,
    icon_url: look.iconUrl,
    icon_emoji: look.iconEmoji,
  });
}
