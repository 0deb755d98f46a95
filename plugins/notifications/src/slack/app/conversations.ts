import { flag, listOf, mapsIn, text, textOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineListMethod, defineMethod } from './slackMethod.ts';
import {
  archivedProperty,
  channelOutput,
  channelProperty,
  limitProperty,
  noOutput,
  readChannel,
  readNothing,
  teamProperty,
  userProperty,
} from './slackProperties.ts';

const typesProperty = () =>
  listOf(text())
    .optional()
    .describe(
      'The kinds of conversation: `public_channel`, `private_channel`, `mpim`, `im`; public channels when absent.',
    );

/** Calls that take a channel and have no outputs. */
const onChannel = (name: string, title: string, description: string) =>
  defineMethod({
    name: `conversations.${name}`,
    method: `conversations.${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    title,
    description,
    properties: { channel: channelProperty() },
    output: noOutput,
    read: readNothing,
    example: 'channel: C0123456789',
  });

const create = defineMethod({
  name: 'conversations.Create',
  method: 'conversations.create',
  title: 'Create a Slack channel',
  description: 'Creates a public or private channel.',
  properties: {
    name: text().describe('The name: small letters, digits, hyphens and underscores, at most 80 characters.'),
    isPrivate: flag().default(false).describe('Only invited users see the channel.'),
    teamId: teamProperty(),
  },
  output: channelOutput,
  read: readChannel,
  example: 'name: incident-{{ execution.id | lower }}',
});

const history = defineListMethod({
  name: 'conversations.History',
  method: 'conversations.history',
  title: 'Read the messages of a Slack channel',
  description: 'Reads the messages of a channel, newest first.',
  properties: {
    channel: channelProperty(),
    oldest: text().optional().describe('Only messages after this timestamp, in seconds since 1970.'),
    latest: text().optional().describe('Only messages before this timestamp.'),
    inclusive: flag().default(false).describe('Also messages with exactly these timestamps.'),
    limit: limitProperty(),
  },
  rows: (answer) => mapsIn(answer.messages),
  example: `channel: C0123456789
limit: 100`,
});

const info = defineMethod({
  name: 'conversations.Info',
  method: 'conversations.info',
  title: 'Describe a Slack channel',
  description: 'Returns the name, topic, purpose and other facts of a channel.',
  properties: {
    channel: channelProperty(),
    includeLocale: flag().default(false).describe('Also its language.'),
    includeNumMembers: flag().default(false).describe('Also the number of its members.'),
  },
  output: channelOutput,
  read: readChannel,
  example: 'channel: C0123456789',
});

const invite = defineMethod({
  name: 'conversations.Invite',
  method: 'conversations.invite',
  title: 'Invite users to a Slack channel',
  description: 'Invites users to a channel that the app is a member of.',
  properties: {
    channel: channelProperty(),
    users: listOf(text(), { min: 1 }).describe('The ids of the users, at most 1,000.'),
    force: flag().default(false).describe('Invite the others when some users cannot be invited.'),
  },
  toArguments: ({ channel, users, force }) => ({ channel, users: users.join(','), force }),
  output: channelOutput,
  read: readChannel,
  example: `channel: C0123456789
users: [U0123456789, U0123456790]`,
});

const kick = defineMethod({
  name: 'conversations.Kick',
  method: 'conversations.kick',
  title: 'Remove a user from a Slack channel',
  description: 'Removes a user from a channel.',
  properties: { channel: channelProperty(), user: userProperty() },
  output: noOutput,
  read: readNothing,
  example: `channel: C0123456789
user: U0123456789`,
});

const join = defineMethod({
  name: 'conversations.Join',
  method: 'conversations.join',
  title: 'Join a Slack channel',
  description: 'Makes the app a member of a public channel.',
  properties: { channel: channelProperty() },
  output: channelOutput,
  read: readChannel,
  example: 'channel: C0123456789',
});

const list = defineListMethod({
  name: 'conversations.List',
  method: 'conversations.list',
  title: 'List Slack channels',
  description: 'Lists the channels of the workspace that the app may see.',
  properties: {
    types: typesProperty(),
    excludeArchived: archivedProperty(),
    teamId: teamProperty(),
    limit: limitProperty(),
  },
  toArguments: ({ types, excludeArchived, teamId, limit }) => ({
    types: types?.join(','),
    exclude_archived: excludeArchived,
    team_id: teamId,
    limit,
  }),
  rows: (answer) => mapsIn(answer.channels),
  example: `types: [public_channel, private_channel]
excludeArchived: true`,
});

const members = defineListMethod({
  name: 'conversations.Members',
  method: 'conversations.members',
  title: 'List the members of a Slack channel',
  description: 'Lists the ids of the members of a channel; each row has an `id`.',
  properties: { channel: channelProperty(), limit: limitProperty() },
  rows: (answer) => (Array.isArray(answer.members) ? answer.members.map((id) => ({ id })) : []),
  example: 'channel: C0123456789',
});

const open = defineMethod({
  name: 'conversations.Open',
  method: 'conversations.open',
  title: 'Open a direct message on Slack',
  description: 'Opens a direct message with one or more users, or the existing one that `channel` names.',
  properties: {
    channel: channelProperty().optional(),
    users: listOf(text()).optional().describe('The ids of the users, at most eight.'),
    returnIm: flag().default(true).describe('Return all facts of the conversation.'),
    preventCreation: flag().default(false).describe('Only find a conversation that exists.'),
  },
  toArguments: ({ channel, users, returnIm, preventCreation }) => ({
    channel,
    users: users?.join(','),
    return_im: returnIm,
    prevent_creation: preventCreation,
  }),
  output: channelOutput,
  read: readChannel,
  example: 'users: [U0123456789]',
});

const rename = defineMethod({
  name: 'conversations.Rename',
  method: 'conversations.rename',
  title: 'Rename a Slack channel',
  description: 'Gives a channel another name.',
  properties: { channel: channelProperty(), name: text().describe('The new name.') },
  output: channelOutput,
  read: readChannel,
  example: `channel: C0123456789
name: incident-closed`,
});

const setPurpose = defineMethod({
  name: 'conversations.SetPurpose',
  method: 'conversations.setPurpose',
  title: 'Set the purpose of a Slack channel',
  description: 'Sets the description of a channel.',
  properties: {
    channel: channelProperty(),
    purpose: text().describe('The purpose, at most 250 characters.'),
  },
  output: { purpose: z.string().optional().describe('The purpose as Slack stored it.') },
  read: (answer) => {
    const purpose = textOf(answer.purpose);
    return purpose === undefined ? {} : { purpose };
  },
  example: `channel: C0123456789
purpose: What happens to the nightly load`,
});

const setTopic = defineMethod({
  name: 'conversations.SetTopic',
  method: 'conversations.setTopic',
  title: 'Set the topic of a Slack channel',
  description: 'Sets the line below the name of a channel.',
  properties: { channel: channelProperty(), topic: text().describe('The topic, at most 250 characters.') },
  output: channelOutput,
  read: readChannel,
  example: `channel: C0123456789
topic: "Last load: {{ execution.startDate }}"`,
});

export const slackConversations = [
  onChannel('Archive', 'Archive a Slack channel', 'Archives a channel; its messages stay readable.'),
  onChannel('Close', 'Close a direct message on Slack', 'Closes a direct message or a group message.'),
  create,
  history,
  info,
  invite,
  join,
  kick,
  onChannel('Leave', 'Leave a Slack channel', 'Ends the membership of the app in a channel.'),
  list,
  members,
  open,
  rename,
  setPurpose,
  setTopic,
  onChannel('Unarchive', 'Restore an archived Slack channel', 'Makes an archived channel usable again.'),
];
