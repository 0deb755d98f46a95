import { type TaskDefinition, TaskFailed } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { aNotifyingContext, type Received, type Reply, startReceiver } from '../../testing/receiver.ts';
import { slackChats } from './chats.ts';
import { slackConversations } from './conversations.ts';
import { slackFiles } from './files.ts';
import { slackCanvases, slackReactions, slackUsers } from './others.ts';
import { slackCalls } from './testing/slackCalls.ts';

type Data = Record<string, unknown>;

const all = [
  ...slackChats,
  ...slackConversations,
  ...slackFiles,
  ...slackReactions,
  ...slackUsers,
  ...slackCanvases,
];
const taskOf = (name: string): TaskDefinition => all.find(({ type }) => type === `slack.app.${name}`)!;
const token = 'xoxb-000000000000-secret';

/** A minimal fake of the Web API: it checks the token and accepts only forms. */
async function startSlack(reply: (request: Received, count: number) => Data | Reply) {
  const receiver = await startReceiver((request, count) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return { body: { ok: false, error: 'invalid_auth' } };
    if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return { body: { ok: false, error: 'invalid_form_data' } };
    const answer = reply(request, count);
    return 'body' in answer || 'status' in answer ? (answer as Reply) : { body: { ok: true, ...answer } };
  });
  const run = (name: string, properties: Data, context = aNotifyingContext()) =>
    runType(taskOf(name), { token, url: receiver.url, ...properties }, context);
  return { ...receiver, run };
}

test('there is a task for every method', () => {
  expect(all).toHaveLength(42);
});

describe('each task calls its method', () => {
  test.each(slackCalls)('%s with %j', async (name, properties, method, given, answer, outputs) => {
    const { run, received } = await startSlack(() => answer);
    expect(await run(name, properties)).toEqual(outputs);
    expect(received.map(({ path, body }) => [path, body])).toEqual([[`/${method}`, given]]);
  });
});

describe('a list', () => {
  const pages = ({ body }: Received): Data =>
    body.cursor === 'next'
      ? { channels: [{ id: 'C3' }] }
      : { channels: [{ id: 'C1' }, { id: 'C2' }], response_metadata: { next_cursor: 'next' } };

  test('is read page after page', async () => {
    const { run, received } = await startSlack(pages);
    const { rows } = await run('conversations.List', {
      types: ['public_channel', 'im'],
      excludeArchived: true,
    });
    expect(rows).toEqual([{ id: 'C1' }, { id: 'C2' }, { id: 'C3' }]);
    expect(received.map(({ body }) => body)).toMatchObject([
      { types: 'public_channel,im', exclude_archived: 'true', limit: '200' },
      { cursor: 'next' },
    ]);
  });

  test('is stored as a file, one row a line', async () => {
    const { run } = await startSlack(pages);
    const context = aNotifyingContext();
    const { uri, size } = await run('conversations.List', { fetchType: 'STORE' }, context);
    expect(size).toBe(3);
    expect(await context.files.text(String(uri))).toBe('{"id":"C1"}\n{"id":"C2"}\n{"id":"C3"}\n');
  });

  test.each([
    [{ fetchType: 'FETCH_ONE' }, { row: { id: 'C1' }, size: 1 }, 1],
    [{ fetchType: 'NONE' }, { size: 3 }, 2],
    [{ limit: 1 }, { rows: [{ id: 'C1' }], size: 1 }, 1],
  ])('with %j returns %j', async (properties, outputs, requests) => {
    const { run, received } = await startSlack(pages);
    expect(await run('conversations.List', properties)).toEqual(outputs);
    expect(received).toHaveLength(requests);
  });

  test('of messages and of users comes from its own key', async () => {
    const { run } = await startSlack(({ path }) =>
      path === '/users.list' ? { members: [{ id: 'U1' }] } : { messages: [{ ts: '1' }] },
    );
    expect(await run('users.List', {})).toEqual({ rows: [{ id: 'U1' }], size: 1 });
    expect(await run('conversations.History', { channel: 'C1', oldest: '1' })).toEqual({
      rows: [{ ts: '1' }],
      size: 1,
    });
  });
});

test('a file is uploaded to the address that Slack names, then shared', async () => {
  const uploads: string[] = [];
  const store = await startReceiver(({ text, headers }) => {
    uploads.push(`${headers['content-length']} ${text}`);
    return { body: 'OK' };
  });
  const { run, received } = await startSlack(({ path }) =>
    path === '/files.getUploadURLExternal'
      ? { file_id: 'F1', upload_url: `${store.url}/upload/secret` }
      : { files: [{ id: 'F1', permalink: 'https://e.com/F1' }] },
  );
  const context = aNotifyingContext();
  const from = await context.files.put('report.csv', 'a,b\n1,2\n');
  const outputs = await run(
    'files.Upload',
    { from, channel: 'C1', initialComment: 'Here', timestamp: '1.2' },
    context,
  );
  expect(outputs).toEqual({
    fileId: 'F1',
    permalink: 'https://e.com/F1',
    file: { id: 'F1', permalink: 'https://e.com/F1' },
  });
  expect(uploads).toEqual(['8 a,b\n1,2\n']);
  expect(received.map(({ path, body }) => [path, body])).toEqual([
    ['/files.getUploadURLExternal', { filename: 'report.csv', length: '8' }],
    [
      '/files.completeUploadExternal',
      {
        files: '[{"id":"F1","title":"report.csv"}]',
        channel_id: 'C1',
        initial_comment: 'Here',
        thread_ts: '1.2',
      },
    ],
  ]);
  await expect(run('files.Upload', { from: 'millrace:///gone' }, context)).rejects.toThrow(
    'There is no file',
  );
});

describe('a refusal of Slack', () => {
  test.each([
    [{ error: 'channel_not_found' }, 'Slack refused chat.delete: channel_not_found', false],
    [
      { error: 'missing_scope', needed: 'chat:write', provided: 'users:read' },
      'needs the scope chat:write, it has users:read',
      false,
    ],
    [
      { error: 'invalid_arguments', response_metadata: { messages: ['[ERROR] no ts'] } },
      '[ERROR] no ts',
      false,
    ],
    [{ error: 'internal_error' }, 'internal_error', true],
  ])('%j fails the task', async (answer, words, retry) => {
    const { run } = await startSlack(() => ({ body: { ok: false, ...answer } }));
    const error = await run('chats.Delete', { channel: 'C1', timestamp: '1' }).catch(
      (failure: unknown) => failure,
    );
    expect(error).toBeInstanceOf(TaskFailed);
    expect(error).toMatchObject({ message: expect.stringContaining(words), retry });
  });

  test('of the token does not show it', async () => {
    const { run, url } = await startSlack(() => ({}));
    await expect(run('users.GetPresence', { token: 'xoxb-wrong-secret', url })).rejects.toThrow(
      'invalid_auth',
    );
  });

  test('with 429 is tried again after the pause that it names', async () => {
    const { run, received } = await startSlack((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '0' }, body: '' } : { presence: 'active' },
    );
    expect(await run('users.GetPresence', {})).toEqual({ presence: 'active' });
    expect(received).toHaveLength(2);
  });

  test('a warning is logged', async () => {
    const { run } = await startSlack(() => ({ presence: 'active', warning: 'superfluous_charset' }));
    const context = aNotifyingContext();
    await run('users.GetPresence', {}, context);
    expect(context.logs).toEqual([{ level: 'WARN', message: 'Slack warns: superfluous_charset' }]);
  });
});
