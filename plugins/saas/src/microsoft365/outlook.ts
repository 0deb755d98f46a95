import {
  type Candidate,
  dropMissing,
  type JsonMap,
  mapIn,
  mapsIn,
  openTriggerState,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';
import { attachmentsOf } from './attachments.ts';
import { entraLogin, graphUrl, neededTenant, tenantExample } from './login.ts';
import { triggerState } from './oneshare.ts';

const outlook = defineService({
  name: 'Outlook',
  prefix: 'microsoft365.outlook',
  baseUrl: graphUrl,
  properties: {
    ...neededTenant,
    clientSecret: need.secret('A secret of the application.'),
    userPrincipalName: may.text('The user whose mailbox is used when no other address is given.'),
    scopes: preset.text('https://graph.microsoft.com/.default', 'The permissions that are asked for.'),
  },
  auth: ({ scopes, ...login }) => entraLogin(login, scopes),
  example: tenantExample,
});

/** The mailbox of the user; by default the mailbox of the login. */
const mailbox = (...users: readonly (string | undefined)[]): string => {
  const user = users.find((one) => one !== undefined && one !== '');
  return user === undefined ? '/me' : `/users/${encodeURIComponent(user)}`;
};

const addressOf = (recipient: unknown): string | undefined =>
  textOf(mapIn(mapIn(recipient).emailAddress).address);
const addressesOf = (recipients: unknown): string[] =>
  mapsIn(recipients).flatMap((one) => addressOf(one) ?? []);

const toSummary = (message: JsonMap): JsonMap =>
  dropMissing({
    id: message.id,
    subject: message.subject,
    senderMail: addressOf(message.sender),
    fromMail: addressOf(message.from),
    receivedDateTime: message.receivedDateTime,
    sentDateTime: message.sentDateTime,
    isRead: message.isRead,
    hasAttachments: message.hasAttachments,
    bodyPreview: message.bodyPreview,
    importance: message.importance,
    conversationId: message.conversationId,
  });

/** The attachments of a message, stored as files. Attached messages and links have no file. */
async function storeAttachments(client: RestClient, user: string, messageId: string): Promise<JsonMap[]> {
  const path = `${user}/messages/${encodeURIComponent(messageId)}/attachments`;
  const { value } = await client.ask({ path, query: { $select: 'id,name,contentType,size,isInline' } });
  const stored: JsonMap[] = [];
  for (const { id, name, contentType, size, isInline, '@odata.type': type } of mapsIn(value)) {
    const file = await client.download(
      { path: `${path}/${encodeURIComponent(String(id))}/$value` },
      textOf(name) ?? 'attachment',
    );
    stored.push(dropMissing({ id, name, contentType, size, isInline, type, uri: file.uri }));
  }
  return stored;
}

const get = outlook.task({
  type: 'Get',
  title: 'Get a message of Outlook',
  description: 'Reads one message, with its attachments if you like.',
  properties: {
    messageId: need.text('The id of the message.'),
    includeAttachments: preset.flag(false, 'Store the attachments as files.'),
    userEmail: may.text('The address of the mailbox.'),
  },
  output: { message: out.map('The message: addresses, subject, text, dates and `attachments`.') },
  run: async (client, { messageId, includeAttachments, userEmail, userPrincipalName }) => {
    const user = mailbox(userEmail, userPrincipalName);
    const message = await client.ask({ path: `${user}/messages/${encodeURIComponent(messageId)}` });
    const body = mapIn(message.body);
    return {
      message: {
        ...toSummary(message),
        ...dropMissing({
          bodyContent: body.content,
          bodyType: body.contentType,
          conversationIndex: message.conversationIndex,
          internetMessageId: message.internetMessageId,
        }),
        toRecipients: addressesOf(message.toRecipients),
        ccRecipients: addressesOf(message.ccRecipients),
        bccRecipients: addressesOf(message.bccRecipients),
        ...(includeAttachments && { attachments: await storeAttachments(client, user, messageId) }),
      },
    };
  },
  example: { messageId: 'AAMkAD', userEmail: 'reports@example.com', includeAttachments: true },
});

const list = outlook.task({
  type: 'List',
  title: 'List the messages of a folder of Outlook',
  description: 'Lists the newest messages of a folder.',
  properties: {
    folderId: preset.text('inbox', 'The folder: its id, or a name such as `inbox` or `sentitems`.'),
    filter: may.text('An OData filter, such as `isRead eq false`.'),
    top: preset.integer(50, 'The most messages.'),
    userEmail: need.text('The address of the mailbox.'),
  },
  request: 'GET /users/{userEmail}/mailFolders/{folderId}/messages',
  query: { $filter: 'filter', $top: 'top' },
  rows: { at: 'value', names: { rows: 'messages', row: 'message', size: 'count' }, map: toSummary },
  output: {
    folderId: out.text('The folder.'),
    hasNextPage: out.flag('Whether there are more messages.'),
  },
  result: ({ body }, { folderId }) => ({
    folderId,
    hasNextPage: mapIn(body)['@odata.nextLink'] !== undefined,
  }),
  example: { userEmail: 'reports@example.com', filter: 'isRead eq false', top: 10 },
});

const recipients = (addresses: readonly string[] = []): JsonMap[] =>
  addresses.map((address) => ({ emailAddress: { address } }));

const send = outlook.task({
  type: 'Send',
  title: 'Send a message with Outlook',
  description:
    'Sends a message from a mailbox of the organization. The application needs the permission `Mail.Send`. Attachments are files of internal storage of at most 3 MB together.',
  properties: {
    to: need.texts('The addresses of the recipients.'),
    cc: may.texts('The addresses that get a copy.'),
    bcc: may.texts('The addresses that get a copy that others do not see.'),
    subject: need.text('The subject.'),
    body: need.text('The text.'),
    bodyType: may.text('`Text` or `HTML`; `Text` when absent.'),
    from: need.text('The address of the mailbox that sends.'),
    attachments: may.any('Files of internal storage: a list of URIs, or one URI.'),
  },
  output: {
    subject: out.text('The subject.'),
    toCount: out.integer('How many recipients there are.'),
    ccCount: out.integer('How many get a copy.'),
    bccCount: out.integer('How many get a hidden copy.'),
    bodyType: out.text('The type of the text.'),
  },
  run: async (client, input, context: TaskContext) => {
    const { to, cc = [], bcc = [], subject, from } = input;
    const bodyType = /html/i.test(input.bodyType ?? '') ? 'HTML' : 'Text';
    const attachments = await attachmentsOf(context, input.attachments);
    await client.send({
      method: 'POST',
      path: `${mailbox(from)}/sendMail`,
      body: {
        message: {
          subject,
          body: { contentType: bodyType, content: input.body },
          toRecipients: recipients(to),
          ccRecipients: recipients(cc),
          bccRecipients: recipients(bcc),
          ...(attachments.length > 0 && { attachments }),
        },
        saveToSentItems: true,
      },
    });
    return { subject, toCount: to.length, ccCount: cc.length, bccCount: bcc.length, bodyType };
  },
  example: {
    from: 'reports@example.com',
    to: ['ada@example.com'],
    subject: 'The daily report',
    body: '<p>All is well.</p>',
    bodyType: 'HTML',
  },
});

const received = outlook.trigger({
  type: 'MailReceivedTrigger',
  title: 'Start an execution when mail arrives in Outlook',
  description:
    'Lists the newest messages of a folder every `interval` and starts one execution for those that were not seen before. Messages are not changed.',
  interval: 'PT5M',
  properties: {
    folderId: preset.text('inbox', 'The folder: its id, or a name such as `inbox`.'),
    userEmail: may.text('The address of the mailbox.'),
    filter: may.text("An OData filter, such as `importance eq 'high'`."),
    includeAttachments: preset.flag(false, 'Store the attachments as files.'),
    maxMessages: preset.integer(10, 'The most messages of one poll.'),
    ...triggerState,
  },
  output: {
    messages: out.maps('The messages.'),
    count: out.integer('How many there are.'),
    folderId: out.text('The folder.'),
  },
  poll: async (client, input, context) => {
    const { folderId, userEmail, userPrincipalName, filter, maxMessages, includeAttachments } = input;
    if (maxMessages < 1) throw new TaskFailed('"maxMessages" must be at least 1.', { retry: false });
    const user = mailbox(userEmail, userPrincipalName);
    const { value } = await client.ask({
      path: `${user}/mailFolders/${encodeURIComponent(folderId)}/messages`,
      query: {
        $filter: filter,
        $top: maxMessages,
        ...(filter === undefined && { $orderby: 'receivedDateTime desc' }),
      },
    });
    const candidates: (Candidate & { message: JsonMap })[] = mapsIn(value).map((message) => ({
      uri: String(message.id),
      version: '1',
      message,
    }));
    const state = await openTriggerState(context, { ...input, on: 'CREATE' });
    const changes = state.changes(candidates);
    const messages: JsonMap[] = [];
    for (const { candidate } of changes)
      messages.push(await toReceived(client, user, candidate.message, includeAttachments));
    await state.save();
    return messages.length === 0 ? undefined : { messages, count: messages.length, folderId };
  },
  example: { userEmail: 'orders@example.com', includeAttachments: true, interval: 'PT5M' },
});

async function toReceived(
  client: RestClient,
  user: string,
  message: JsonMap,
  withFiles: boolean,
): Promise<JsonMap> {
  const { senderMail: _, fromMail: from, conversationId: __, ...summary } = toSummary(message);
  const body = mapIn(message.body);
  const files = withFiles && message.hasAttachments === true;
  return dropMissing({
    ...summary,
    from,
    fromName: mapIn(mapIn(message.from).emailAddress).name,
    toRecipients: addressesOf(message.toRecipients),
    ccRecipients: addressesOf(message.ccRecipients),
    body: body.content,
    bodyContentType: body.contentType,
    attachments: files ? await storeAttachments(client, user, String(message.id)) : undefined,
  });
}

export const outlookTypes = [get, list, send, received];
