import { anything, choice, flag, listOf, mapIn, mapOf, mapsIn, text, textOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineListMethod, defineMethod } from './slackMethod.ts';
import {
  anyMap,
  archivedProperty,
  channelProperty,
  limitProperty,
  noOutput,
  readNothing,
  teamProperty,
  timestampProperty,
  userProperty,
} from './slackProperties.ts';

const onMessage = { channel: channelProperty(), timestamp: timestampProperty('The message') };
const emoji = () => text().describe('The name of the emoji without colons, such as `thumbsup`.');
const onMessageExample = `channel: C0123456789
timestamp: "1503435956.000247"`;

const reaction = (name: 'Add' | 'Remove', title: string, description: string) =>
  defineMethod({
    name: `reactions.${name}`,
    method: `reactions.${name.toLowerCase()}`,
    title,
    description,
    properties: { ...onMessage, name: emoji() },
    output: noOutput,
    read: readNothing,
    example: `${onMessageExample}
name: thumbsup`,
  });

const getReactions = defineMethod({
  name: 'reactions.Get',
  method: 'reactions.get',
  title: 'List the reactions to a Slack message',
  description: 'Lists the emojis below a message, with the users who chose them.',
  properties: onMessage,
  toArguments: ({ channel, timestamp }) => ({ channel, timestamp, full: true }),
  output: { reactions: z.array(anyMap).describe('The reactions: `name`, `count` and `users`.') },
  read: (answer) => ({ reactions: mapsIn(mapIn(answer.message).reactions).map((each) => ({ ...each })) }),
  example: onMessageExample,
});

export const slackReactions = [
  reaction('Add', 'React to a Slack message', 'Adds an emoji below a message.'),
  getReactions,
  reaction('Remove', 'Take back a reaction to a Slack message', 'Removes an emoji below a message.'),
];

const userOutput = {
  userId: z.string().optional().describe('The id of the user.'),
  user: anyMap.describe('The user as Slack describes it.'),
};
const readUser = (answer: Readonly<Record<string, unknown>>) => {
  const user = mapIn(answer.user);
  const userId = textOf(user.id);
  return { ...(userId !== undefined && { userId }), user: { ...user } };
};

export const slackUsers = [
  defineListMethod({
    name: 'users.List',
    method: 'users.list',
    title: 'List the users of a Slack workspace',
    description: 'Lists all users, also those who left.',
    properties: {
      includeLocale: flag().default(false).describe('Also their language.'),
      teamId: teamProperty(),
      limit: limitProperty(),
    },
    rows: (answer) => mapsIn(answer.members),
    example: 'fetchType: STORE',
  }),
  defineMethod({
    name: 'users.Info',
    method: 'users.info',
    title: 'Describe a Slack user',
    description: 'Returns the name, time zone and other facts of a user.',
    properties: { user: userProperty(), includeLocale: flag().default(false).describe('Also the language.') },
    output: userOutput,
    read: readUser,
    example: 'user: U0123456789',
  }),
  defineMethod({
    name: 'users.LookupByEmail',
    method: 'users.lookupByEmail',
    title: 'Find a Slack user by mail address',
    description: 'Returns the user with this mail address.',
    properties: { email: text().describe('The mail address.') },
    output: userOutput,
    read: readUser,
    example: 'email: ada@example.com',
  }),
  defineMethod({
    name: 'users.ProfileGet',
    method: 'users.profile.get',
    title: 'Read the profile of a Slack user',
    description: 'Returns the profile of a user, with status and custom fields.',
    properties: {
      user: userProperty().optional(),
      includeLabels: flag().default(false).describe('Also the names of custom fields.'),
    },
    output: { profile: anyMap.describe('The profile.') },
    read: (answer) => ({ profile: { ...mapIn(answer.profile) } }),
    example: 'user: U0123456789',
  }),
  defineMethod({
    name: 'users.GetPresence',
    method: 'users.getPresence',
    title: 'Read whether a Slack user is active',
    description: 'Returns `active` or `away`.',
    properties: { user: userProperty().optional() },
    output: { presence: z.string().describe('`active` or `away`.') },
    read: (answer) => ({ presence: textOf(answer.presence) ?? '' }),
    example: 'user: U0123456789',
  }),
  defineListMethod({
    name: 'users.Conversations',
    method: 'users.conversations',
    title: 'List the Slack channels of a user',
    description:
      'Lists the conversations that a user is a member of; those of the app when there is no user.',
    properties: {
      user: userProperty().optional(),
      types: listOf(text())
        .optional()
        .describe('The kinds of conversation: `public_channel`, `private_channel`, `mpim`, `im`.'),
      excludeArchived: archivedProperty(),
      teamId: teamProperty(),
      limit: limitProperty(),
    },
    toArguments: ({ user, types, excludeArchived, teamId, limit }) => ({
      user,
      types: types?.join(','),
      exclude_archived: excludeArchived,
      team_id: teamId,
      limit,
    }),
    rows: (answer) => mapsIn(answer.channels),
    example: 'user: U0123456789',
  }),
];

const canvas = () => text().describe('The canvas: its id, such as `F0123456789`.');

export const slackCanvases = [
  defineMethod({
    name: 'canvases.Create',
    method: 'canvases.create',
    title: 'Create a Slack canvas',
    description: 'Creates a canvas from Markdown, as a document or as the canvas of a channel.',
    properties: {
      title: text().optional().describe('The title.'),
      markdown: text().optional().describe('The content in Markdown.'),
      channel: channelProperty().optional(),
    },
    toArguments: ({ title, markdown, channel }) => ({
      title,
      channel_id: channel,
      document_content: markdown === undefined ? undefined : { type: 'markdown', markdown },
    }),
    output: { canvasId: z.string().describe('The id of the canvas.') },
    read: (answer) => ({ canvasId: textOf(answer.canvas_id) ?? '' }),
    example: `title: Report
markdown: "# All is well"`,
  }),
  defineMethod({
    name: 'canvases.Edit',
    method: 'canvases.edit',
    title: 'Change a Slack canvas',
    description:
      'Changes a canvas. Each change has an `operation` (`insert_at_end`, `replace`, `delete` …), and a `section_id` and `document_content` where it needs them.',
    properties: {
      canvasId: canvas(),
      changes: listOf(mapOf(anything()), { min: 1 }).describe('The changes.'),
    },
    output: noOutput,
    read: readNothing,
    example: `canvasId: F0123456789
changes:
  - operation: insert_at_end
    document_content:
      type: markdown
      markdown: One more line`,
  }),
  defineMethod({
    name: 'canvases.Delete',
    method: 'canvases.delete',
    title: 'Delete a Slack canvas',
    description: 'Deletes a canvas.',
    properties: { canvasId: canvas() },
    output: noOutput,
    read: readNothing,
    example: 'canvasId: F0123456789',
  }),
  defineMethod({
    name: 'canvases.AccessSet',
    method: 'canvases.access.set',
    title: 'Share a Slack canvas',
    description: 'Gives channels or users access to a canvas.',
    properties: {
      canvasId: canvas(),
      accessLevel: choice(['READ', 'WRITE', 'OWNER']).describe('What they may do.'),
      channelIds: listOf(text()).optional().describe('The channels.'),
      userIds: listOf(text()).optional().describe('The users.'),
    },
    toArguments: ({ canvasId, accessLevel, channelIds, userIds }) => ({
      canvas_id: canvasId,
      access_level: accessLevel.toLowerCase(),
      channel_ids: channelIds,
      user_ids: userIds,
    }),
    output: noOutput,
    read: readNothing,
    example: `canvasId: F0123456789
accessLevel: READ
channelIds: [C0123456789]`,
  }),
  defineMethod({
    name: 'canvases.SectionsLookup',
    method: 'canvases.sections.lookup',
    title: 'Find sections of a Slack canvas',
    description: 'Finds the ids of sections, by their kind or the text in them.',
    properties: {
      canvasId: canvas(),
      criteria: mapOf(anything()).describe('What to find: `section_types` and `contains_text`.'),
    },
    output: { sections: z.array(anyMap).describe('The sections: `id`.') },
    read: (answer) => ({ sections: mapsIn(answer.sections).map((each) => ({ ...each })) }),
    example: `canvasId: F0123456789
criteria:
  contains_text: Report`,
  }),
];
