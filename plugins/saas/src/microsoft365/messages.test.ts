import { expect, test } from 'vitest';
import { aServiceContext, expectExchanges, startServices, testCalls } from '../testing/exchange.ts';
import { adaptiveCardTypes } from './adaptiveCards.ts';
import { outlookTypes } from './outlook.ts';

startServices();

const graph = 'https://graph.microsoft.com/v1.0';
const token = { access_token: 'token1', expires_in: 3600 };
const login = {
  asks: 'POST https://login.microsoftonline.com/AZURE_TENANT_ID/oauth2/v2.0/token',
  sends: {
    grant_type: 'client_credentials',
    client_id: 'AZURE_CLIENT_ID',
    client_secret: 'AZURE_CLIENT_SECRET',
    scope: 'https://graph.microsoft.com/.default',
  },
  headers: { authorization: undefined },
  replies: token,
};
const headers = { authorization: 'Bearer token1' };

const ada = { emailAddress: { address: 'ada@example.com', name: 'Ada' } };
const message = {
  id: 'm1',
  subject: 'Orders',
  from: ada,
  sender: ada,
  toRecipients: [ada],
  body: { contentType: 'text', content: 'Hi' },
  hasAttachments: true,
};
const summary = {
  id: 'm1',
  subject: 'Orders',
  fromMail: 'ada@example.com',
  senderMail: 'ada@example.com',
  hasAttachments: true,
};
const reports = `${graph}/users/reports%40example.com`;
const attachmentsQuery = '?%24select=id%2Cname%2CcontentType%2Csize%2CisInline';

testCalls(outlookTypes, {
  headers,
  login,
  cases: [
    {
      type: 'microsoft365.outlook.Get',
      with: { includeAttachments: false },
      exchanges: [{ asks: `GET ${reports}/messages/AAMkAD`, replies: message }],
      gives: {
        message: {
          ...summary,
          bodyContent: 'Hi',
          bodyType: 'text',
          toRecipients: ['ada@example.com'],
          ccRecipients: [],
          bccRecipients: [],
        },
      },
    },
    {
      type: 'microsoft365.outlook.List',
      exchanges: [
        {
          asks: `GET ${reports}/mailFolders/inbox/messages?%24filter=isRead%20eq%20false&%24top=10`,
          replies: { value: [message], '@odata.nextLink': `${graph}/next` },
        },
      ],
      gives: { messages: [summary], count: 1, folderId: 'inbox', hasNextPage: true },
    },
    {
      type: 'microsoft365.outlook.Send',
      with: { attachments: ['{{ inputs.file }}'] },
      files: { file: 'a,b' },
      exchanges: [
        {
          asks: `POST ${reports}/sendMail`,
          sends: {
            message: {
              subject: 'The daily report',
              body: { contentType: 'HTML', content: '<p>All is well.</p>' },
              toRecipients: [{ emailAddress: { address: 'ada@example.com' } }],
              ccRecipients: [],
              bccRecipients: [],
              attachments: [
                {
                  '@odata.type': '#microsoft.graph.fileAttachment',
                  name: 'file',
                  contentType: 'application/octet-stream',
                  contentBytes: 'YSxi',
                },
              ],
            },
            saveToSentItems: true,
          },
          status: 202,
        },
      ],
      gives: { subject: 'The daily report', toCount: 1, ccCount: 0, bccCount: 0, bodyType: 'HTML' },
    },
  ],
});

test('microsoft365.outlook.MailReceivedTrigger returns a message once, with its attachments', async () => {
  const trigger = outlookTypes.at(-1);
  if (trigger?.kind !== 'trigger' || !trigger.poll) throw new Error('No trigger');
  const context = aServiceContext();
  const properties = {
    tenantId: 't',
    clientId: 'c',
    clientSecret: 's',
    userEmail: 'reports@example.com',
    includeAttachments: true,
  };
  const poll = () => trigger.poll?.(context, trigger.input.parse(properties));
  const inbox = { asks: '', replies: { value: [message] } };
  const { received } = expectExchanges([
    { asks: '', replies: token },
    inbox,
    { asks: '', replies: { value: [{ id: 'a1', name: 'orders.csv', size: 3 }] } },
    { asks: '', replies: 'a,b' },
  ]);
  expect(await poll()).toMatchObject({
    count: 1,
    folderId: 'inbox',
    messages: [
      {
        id: 'm1',
        from: 'ada@example.com',
        fromName: 'Ada',
        body: 'Hi',
        attachments: [{ id: 'a1', name: 'orders.csv' }],
      },
    ],
  });
  expect(received.map(({ asks }) => asks).slice(1)).toEqual([
    `GET ${reports}/mailFolders/inbox/messages?%24top=10&%24orderby=receivedDateTime%20desc`,
    `GET ${reports}/messages/m1/attachments${attachmentsQuery}`,
    `GET ${reports}/messages/m1/attachments/a1/$value`,
  ]);
  expectExchanges([{ asks: '', replies: token }, inbox]);
  expect(await poll()).toBeUndefined();
});

const card =
  '{"type": "AdaptiveCard", "version": "1.5", "body": [{"type": "TextBlock", "text": "The load has ended."}]}';
const cardMessage = {
  body: { contentType: 'html', content: expect.stringMatching(/^<attachment id="[-\w]+"><\/attachment>$/) },
  attachments: [
    { id: expect.any(String), contentType: 'application/vnd.microsoft.card.adaptive', content: card },
  ],
};
const member = (user: string) => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `${graph}/users('${user}')`,
});

testCalls(adaptiveCardTypes, {
  headers,
  login: {
    ...login,
    sends: {
      ...login.sends,
      grant_type: 'password',
      username: 'bot@example.com',
      password: 'TEAMS_PASSWORD',
    },
  },
  cases: [
    {
      type: 'microsoft365.teams.adaptivecards.Send',
      exchanges: [
        {
          asks: `POST ${graph}/teams/team1/channels/19%3Achannel1/messages`,
          sends: cardMessage,
          status: 201,
          replies: { id: 'm1', createdDateTime: '2026-01-31T08:00:00Z' },
        },
      ],
      gives: { messageId: 'm1', createdDateTime: '2026-01-31T08:00:00Z' },
    },
    {
      type: 'microsoft365.teams.adaptivecards.SendToUser',
      exchanges: [
        { asks: `GET ${graph}/me?%24select=id`, replies: { id: 'u0' } },
        {
          asks: `POST ${graph}/chats`,
          sends: { chatType: 'oneOnOne', members: [member('u0'), member('ada@example.com')] },
          status: 201,
          replies: { id: 'chat1' },
        },
        {
          asks: `POST ${graph}/chats/chat1/messages`,
          sends: cardMessage,
          status: 201,
          replies: { id: 'm2' },
        },
      ],
      gives: { chatId: 'chat1', messageId: 'm2' },
    },
  ],
});
