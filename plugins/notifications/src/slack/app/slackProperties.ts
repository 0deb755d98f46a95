import { flag, integer, type JsonMap, mapIn, text, textOf, textOrJson } from '@millrace/plugin-kit';
import { z } from 'zod';
import { slackBody } from '../webhooks.ts';

export const channelProperty = () => text().describe('The channel: its id, such as `C0123456789`.');
export const userProperty = () => text().describe('The user: its id, such as `U0123456789`.');
export const timestampProperty = (what: string) =>
  text().describe(`${what}: its timestamp, such as \`1503435956.000247\`.`);
export const limitProperty = () =>
  integer({ min: 1 }).optional().describe('The most rows to read; all when absent.');
export const teamProperty = () => text().optional().describe('The workspace, for tokens of an organization.');
export const archivedProperty = () => flag().default(false).describe('Leave out archived channels.');

/** The content of a message: blocks and attachments as JSON, or text. */
export const messageProperties = {
  payload: textOrJson()
    .optional()
    .describe(
      'The message as JSON: `text`, `blocks`, `attachments` and other arguments. They win over the properties.',
    ),
  messageText: text()
    .optional()
    .describe('The text of the message, when there is no `payload`; Markdown is converted.'),
};

export const lookProperties = {
  username: text()
    .optional()
    .describe('The name that the message is shown under; needs the scope `chat:write.customize`.'),
  iconUrl: text().optional().describe('The address of the picture beside the message.'),
  iconEmoji: text().optional().describe('The emoji beside the message, such as `:rocket:`.'),
};

interface MessageInput {
  readonly payload?: string | undefined;
  readonly messageText?: string | undefined;
  readonly username?: string | undefined;
  readonly iconUrl?: string | undefined;
  readonly iconEmoji?: string | undefined;
}

/** The arguments of a call that sends a message. */
export const toMessage = (
  { payload, messageText, username, iconUrl, iconEmoji }: MessageInput,
  more: JsonMap,
): JsonMap => ({
  ...more,
  username,
  icon_url: iconUrl,
  icon_emoji: iconEmoji,
  ...slackBody(payload, messageText),
});

export const anyMap = z.record(z.string(), z.unknown());

export const messageOutput = {
  channel: z.string().optional().describe('The channel of the message.'),
  timestamp: z.string().describe('The timestamp of the message, by which it is found again.'),
};

export const readMessage = (answer: JsonMap) => {
  const channel = textOf(answer.channel);
  return {
    ...(channel !== undefined && { channel }),
    timestamp: textOf(answer.ts) ?? textOf(answer.message_ts) ?? '',
  };
};

export const channelOutput = {
  channelId: z.string().optional().describe('The id of the channel.'),
  channel: anyMap.optional().describe('The channel as Slack describes it.'),
};

export const readChannel = (answer: JsonMap) => {
  const channel = mapIn(answer.channel);
  const channelId = textOf(channel.id);
  return { ...(channelId !== undefined && { channelId }), channel: { ...channel } };
};

export const noOutput = {};
export const readNothing = () => ({});
