import { dateTime, integer, TaskFailed, text, textOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineMethod } from './slackMethod.ts';
import {
  channelProperty,
  lookProperties,
  messageOutput,
  messageProperties,
  noOutput,
  readMessage,
  readNothing,
  timestampProperty,
  toMessage,
  userProperty,
} from './slackProperties.ts';

const thread = () => timestampProperty('The message whose thread it belongs to').optional();
const markdownText = () => text().describe('The text in Markdown, at most 12,000 characters.');

const post = defineMethod({
  name: 'chats.Post',
  method: 'chat.postMessage',
  title: 'Post a message to a Slack channel',
  description: `Posts a message as an app. \`payload\` may hold every argument of
[chat.postMessage](https://api.slack.com/methods/chat.postMessage), such as \`blocks\`, \`attachments\`, \`reply_broadcast\`,
\`unfurl_links\` and \`metadata\`.`,
  properties: {
    ...messageProperties,
    channel: channelProperty().optional(),
    timestamp: thread(),
    ...lookProperties,
  },
  toArguments: ({ channel, timestamp, ...message }) =>
    toMessage(message, { channel, thread_ts: timestamp || undefined }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
messageText: "**{{ flow.id }}** is done"`,
});

const postEphemeral = defineMethod({
  name: 'chats.PostEphemeral',
  method: 'chat.postEphemeral',
  title: 'Post a message that only one user of a Slack channel sees',
  description: 'Posts a message that one user sees until the client is reloaded.',
  properties: {
    ...messageProperties,
    channel: channelProperty(),
    user: userProperty(),
    timestamp: thread(),
    ...lookProperties,
  },
  toArguments: ({ channel, user, timestamp, ...message }) =>
    toMessage(message, { channel, user, thread_ts: timestamp || undefined }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
user: U0123456789
messageText: Only you can see this.`,
});

const update = defineMethod({
  name: 'chats.Update',
  method: 'chat.update',
  title: 'Change a Slack message',
  description: 'Replaces the text, blocks or attachments of a message that the app posted.',
  properties: {
    ...messageProperties,
    channel: channelProperty(),
    timestamp: timestampProperty('The message'),
  },
  toArguments: ({ channel, timestamp, ...message }) => toMessage(message, { channel, ts: timestamp }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
timestamp: "{{ outputs.post.timestamp | default('1503435956.000247') }}"
messageText: Done.`,
});

const remove = defineMethod({
  name: 'chats.Delete',
  method: 'chat.delete',
  title: 'Delete a Slack message',
  description: 'Deletes a message that the app posted.',
  properties: { channel: channelProperty(), timestamp: timestampProperty('The message') },
  toArguments: ({ channel, timestamp }) => ({ channel, ts: timestamp }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
timestamp: "1503435956.000247"`,
});

/** Slack counts seconds. */
function toSeconds(postAt: string | number): number {
  const seconds = typeof postAt === 'number' ? postAt : Math.floor(Date.parse(postAt) / 1000);
  if (!Number.isFinite(seconds))
    throw new TaskFailed(`"postAt" must be a date, got "${postAt}".`, { retry: false });
  return seconds;
}

const schedule = defineMethod({
  name: 'chats.Schedule',
  method: 'chat.scheduleMessage',
  title: 'Schedule a Slack message',
  description: 'Posts a message later, at most 120 days ahead.',
  properties: {
    ...messageProperties,
    channel: channelProperty(),
    postAt: z
      .union([integer({ min: 1 }), dateTime()])
      .describe('When to post it: an ISO date, or the seconds since 1970.'),
    timestamp: thread(),
  },
  toArguments: ({ channel, postAt, timestamp, ...message }) =>
    toMessage(message, { channel, post_at: toSeconds(postAt), thread_ts: timestamp || undefined }),
  output: {
    scheduledMessageId: z.string().describe('The id by which the message is deleted before it is posted.'),
    postAt: z.string().optional().describe('When it is posted, in seconds since 1970.'),
  },
  read: (answer) => {
    const postAt = textOf(answer.post_at);
    return {
      scheduledMessageId: textOf(answer.scheduled_message_id) ?? '',
      ...(postAt !== undefined && { postAt }),
    };
  },
  example: `channel: C0123456789
postAt: "2030-01-01T08:00:00Z"
messageText: Good morning.`,
});

const deleteScheduled = defineMethod({
  name: 'chats.DeleteScheduled',
  method: 'chat.deleteScheduledMessage',
  title: 'Delete a scheduled Slack message',
  description: 'Deletes a message before it is posted.',
  properties: {
    channel: channelProperty(),
    scheduledMessageId: text().describe('The id that `slack.app.chats.Schedule` returned.'),
  },
  output: noOutput,
  read: readNothing,
  example: `channel: C0123456789
scheduledMessageId: Q1298393284`,
});

const startStream = defineMethod({
  name: 'chats.StartStream',
  method: 'chat.startStream',
  title: 'Start a Slack message that grows',
  description: 'Starts a message in a thread, to which more text is appended later.',
  properties: {
    channel: channelProperty(),
    timestamp: timestampProperty('The message whose thread it belongs to'),
    markdownText: markdownText().optional(),
    recipientTeamId: text().optional().describe('The workspace of the reader, outside of direct messages.'),
    recipientUserId: text().optional().describe('The reader, outside of direct messages.'),
  },
  toArguments: ({ channel, timestamp, markdownText: words, recipientTeamId, recipientUserId }) => ({
    channel,
    thread_ts: timestamp || undefined,
    markdown_text: words,
    recipient_team_id: recipientTeamId,
    recipient_user_id: recipientUserId,
  }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
timestamp: "1503435956.000247"
markdownText: Working on it …`,
});

const appendStream = defineMethod({
  name: 'chats.AppendStream',
  method: 'chat.appendStream',
  title: 'Append text to a growing Slack message',
  description: 'Adds text to a message that `slack.app.chats.StartStream` started.',
  properties: {
    channel: channelProperty(),
    timestamp: timestampProperty('The growing message'),
    markdownText: markdownText(),
  },
  toArguments: ({ channel, timestamp, markdownText: words }) => ({
    channel,
    ts: timestamp,
    markdown_text: words,
  }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
timestamp: "1503435956.000247"
markdownText: Half of it is done.`,
});

const stopStream = defineMethod({
  name: 'chats.StopStream',
  method: 'chat.stopStream',
  title: 'End a growing Slack message',
  description:
    'Ends a message that `slack.app.chats.StartStream` started; `payload` may add `blocks` and `metadata`.',
  properties: {
    channel: channelProperty(),
    timestamp: timestampProperty('The growing message'),
    markdownText: markdownText().optional(),
    payload: messageProperties.payload,
  },
  toArguments: ({ channel, timestamp, markdownText: words, payload }) => ({
    ...(payload === undefined ? {} : toMessage({ payload }, {})),
    channel,
    ts: timestamp,
    markdown_text: words,
  }),
  output: messageOutput,
  read: readMessage,
  example: `channel: C0123456789
timestamp: "1503435956.000247"
markdownText: Done.`,
});

export const slackChats = [
  post,
  postEphemeral,
  update,
  remove,
  schedule,
  deleteScheduled,
  startStream,
  appendStream,
  stopStream,
];
