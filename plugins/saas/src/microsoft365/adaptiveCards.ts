import { randomUUID } from 'node:crypto';
import { type JsonMap, readJsonMap, TaskFailed } from '@millrace/plugin-kit';
import { out } from '../rest/outputs.ts';
import { may, need } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { entraLogin, graphScope, graphUrl, tenant, tenantExample } from './login.ts';

const teams = defineService({
  name: 'Microsoft Teams',
  prefix: 'microsoft365.teams.adaptivecards',
  baseUrl: graphUrl,
  properties: {
    ...tenant,
    username: may.text(
      'The name of the user who sends. Microsoft lets only users send messages, not applications.',
    ),
    password: may.secret('The password of the user.'),
    card: need.json('The adaptive card, as JSON.'),
  },
  auth: (input) => entraLogin(input, graphScope),
  example: {
    ...tenantExample,
    username: 'bot@example.com',
    password: "{{ secret('TEAMS_PASSWORD') }}",
    card: '{"type": "AdaptiveCard", "version": "1.5", "body": [{"type": "TextBlock", "text": "The load has ended."}]}',
  },
});

function toMessage(card: string): JsonMap {
  readJsonMap(card, 'card');
  const id = randomUUID();
  return {
    body: { contentType: 'html', content: `<attachment id="${id}"></attachment>` },
    attachments: [{ id, contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  };
}

const send = teams.task({
  type: 'Send',
  title: 'Send an adaptive card to a channel of Teams',
  description: 'Posts a card to a channel, as a user.',
  properties: { teamId: need.text('The id of the team.'), channelId: need.text('The id of the channel.') },
  request: 'POST /teams/{teamId}/channels/{channelId}/messages',
  body: ({ card }) => toMessage(card),
  output: {
    messageId: out.text('The id of the message.', 'id'),
    createdDateTime: out.text('When it was posted.'),
  },
  example: { teamId: 'team1', channelId: '19:channel1' },
});

const sendToUser = teams.task({
  type: 'SendToUser',
  title: 'Send an adaptive card to a user of Teams',
  description: 'Opens a chat between the sending user and another, and posts a card there.',
  properties: {
    userId: may.text('The id of the recipient; or `userEmail`.'),
    userEmail: may.text('The address of the recipient.'),
  },
  output: { chatId: out.text('The id of the chat.'), messageId: out.text('The id of the message.') },
  run: async (client, { userId, userEmail, card }) => {
    const recipient = userId ?? userEmail;
    if (!recipient) throw new TaskFailed('"userId" or "userEmail" must be given.', { retry: false });
    const { id: sender } = await client.ask({ path: '/me', query: { $select: 'id' } });
    const member = (user: unknown) => ({
      '@odata.type': '#microsoft.graph.aadUserConversationMember',
      roles: ['owner'],
      'user@odata.bind': `${graphUrl}/users('${user}')`,
    });
    const body = { chatType: 'oneOnOne', members: [member(sender), member(recipient)] };
    const { id: chatId } = await client.ask({ method: 'POST', path: '/chats', body });
    const path = `/chats/${encodeURIComponent(String(chatId))}/messages`;
    const { id: messageId } = await client.ask({ method: 'POST', path, body: toMessage(card) });
    return { chatId, messageId };
  },
  example: { userEmail: 'ada@example.com' },
});

export const adaptiveCardTypes = [send, sendToUser];
