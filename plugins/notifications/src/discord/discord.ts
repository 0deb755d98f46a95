import {
  cutText,
  dropMissing,
  flag,
  integer,
  type JsonMap,
  listOf,
  type Outcome,
  part,
  type Summary,
  text,
} from '@millrace/plugin-kit';
import type { z } from 'zod';
import {
  defineWebhook,
  defineWebhookSummary,
  oneTask,
  onFailure,
  onFlowFailure,
} from '../base/serviceTasks.ts';

const webhookType = 'discord.DiscordIncomingWebhook';
const executionType = 'discord.DiscordExecution';

/** The limits of Discord. */
const limits = {
  content: 2000,
  title: 256,
  description: 4096,
  fields: 25,
  name: 256,
  value: 1024,
  footer: 2048,
};

const colors: Record<Outcome, number> = {
  success: 0x1a7f4b,
  warning: 0xb25e09,
  failure: 0xc0362c,
  running: 0x3b5bdb,
};

export const discordWebhook = defineWebhook({
  type: webhookType,
  aliases: ['notifications.discord.DiscordIncomingWebhook'],
  service: 'Discord',
  title: 'Send a message to a Discord webhook',
  description:
    'Sends `payload` to a [webhook](https://discord.com/developers/docs/resources/webhook#execute-webhook) of a Discord channel.',
  examples: [
    oneTask(
      webhookType,
      `url: "{{ secret('DISCORD_WEBHOOK') }}"
payload: |
  {"content": "{{ flow.id }} is done", "username": "Millrace"}`,
      'Send a text.',
      'discord_text',
    ),
  ],
});

const embed = () =>
  part({
    title: text().optional().describe('The title.'),
    websiteUrl: text().optional().describe('The address that the title links to.'),
    description: text().optional().describe('The text.'),
    thumbnail: text().optional().describe('The address of a small image.'),
    authorName: text().optional().describe('The name above the title.'),
    color: listOf(integer({ min: 0, max: 255 }))
      .optional()
      .describe('The color of the bar: red, green and blue, each from 0 to 255.'),
    footer: text().optional().describe('The text below.'),
  });
type Embed = z.infer<ReturnType<typeof embed>>;

export const discordExecution = defineWebhookSummary({
  type: executionType,
  aliases: ['notifications.discord.DiscordExecution'],
  service: 'Discord',
  title: 'Report an execution to Discord',
  description: `Sends a report about an execution as an embed: its state, duration, failed task, your own fields and a link to
its page. The first entry of \`embedList\` changes that embed, further entries follow it. Keys of \`payload\` replace those
of the report.`,
  properties: {
    username: text().optional().describe('The name that the message is shown under.'),
    avatarUrl: text().optional().describe('The address of the picture beside the message.'),
    content: text().optional().describe('The text above the embeds; `customMessage` when absent.'),
    embedList: listOf(embed()).optional().describe('Changes to the embed of the report, and more embeds.'),
    tts: flag().default(false).describe('Read the message aloud.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: "{{ secret('DISCORD_WEBHOOK') }}"
username: Millrace
embedList:
  - color: [255, 80, 80]
    footer: On call this week is Ada
customFields:
  Environment: production`,
    ),
    onFlowFailure(executionType, `url: "{{ secret('DISCORD_WEBHOOK') }}"`),
  ],
  message: (summary, { username, avatarUrl, content, embedList = [], tts }) => {
    const [first, ...more] = embedList;
    const above = content ?? summary.customMessage;
    return dropMissing({
      username,
      avatar_url: avatarUrl,
      tts,
      content: above === undefined ? undefined : cutText(above, limits.content),
      embeds: [{ ...summaryEmbed(summary), ...(first && toEmbed(first)) }, ...more.map(toEmbed)].slice(0, 10),
    });
  },
});

function summaryEmbed({ title, sentence, link, fields, outcome, startDate }: Summary): JsonMap {
  return dropMissing({
    title: cutText(title, limits.title),
    url: link,
    description: cutText(
      link === undefined ? sentence : `${sentence}\n[View execution](${link})`,
      limits.description,
    ),
    color: colors[outcome],
    timestamp: startDate,
    fields: fields.slice(0, limits.fields).map(([name, value]) => ({
      name: cutText(name, limits.name),
      // Discord rejects a field without text.
      value: cutText(value === '' ? '–' : value, limits.value),
      inline: value.length <= 40,
    })),
    footer: { text: cutText(sentence.replaceAll('`', ''), limits.footer) },
  });
}

function toEmbed({ title, websiteUrl, description, thumbnail, authorName, color, footer }: Embed): JsonMap {
  const [red = 0, green = 0, blue = 0] = color ?? [];
  return dropMissing({
    title: title && cutText(title, limits.title),
    url: websiteUrl,
    description: description && cutText(description, limits.description),
    thumbnail: thumbnail === undefined ? undefined : { url: thumbnail },
    author: authorName === undefined ? undefined : { name: cutText(authorName, limits.name) },
    color: color && red * 65_536 + green * 256 + blue,
    footer: footer === undefined ? undefined : { text: cutText(footer, limits.footer) },
  });
}
