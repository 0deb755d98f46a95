import {
  defineTask,
  isStorageUri,
  mapIn,
  mapsIn,
  nameOfUri,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { oneTask } from '../../base/serviceTasks.ts';
import { callSlack, defineMethod, slackLogin } from './slackMethod.ts';
import { anyMap, channelProperty, noOutput, readNothing, timestampProperty } from './slackProperties.ts';

const type = 'slack.app.files.Upload';
const fileProperty = () => text().describe('The file: its id, such as `F0123456789`.');

/** Slack takes the bytes at a separate upload URL; a second call then completes the upload. */
const upload = defineTask({
  type,
  title: 'Upload a file to Slack',
  description:
    'Uploads a file of internal storage and shares it in a channel, or keeps it private without one.',
  input: () =>
    z.object({
      ...slackLogin,
      from: storageUri().describe('The file in internal storage.'),
      filename: text().optional().describe('The name of the file; that of the stored file when absent.'),
      title: text().optional().describe('The title; the name when absent.'),
      channel: channelProperty().optional(),
      initialComment: text().optional().describe('The message that comes with the file.'),
      timestamp: timestampProperty('The message whose thread the file belongs to').optional(),
      altText: text().optional().describe('A description of an image for screen readers.'),
      snippetType: text().optional().describe('The language of a snippet, such as `python`.'),
    }),
  output: () =>
    z.object({
      fileId: z.string().describe('The id of the file.'),
      permalink: z.string().optional().describe('The address of the file.'),
      file: anyMap.optional().describe('The file as Slack describes it.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      type,
      `token: "{{ secret('SLACK_TOKEN') }}"
from: "{{ inputs.report | default('millrace:///report.csv') }}"
channel: C0123456789
initialComment: The report of today.`,
      'Share a file.',
      'slack_file',
    ),
  ],
  run: async (
    context,
    { token, url, options, from, filename, title, channel, initialComment, timestamp, altText, snippetType },
  ) => {
    const login = { token, url, options };
    const name = filename ?? nameOfUri(from);
    const length = await sizeOf(context, from);
    const place = await callSlack(context, login, 'files.getUploadURLExternal', {
      filename: name,
      length,
      alt_txt: altText,
      snippet_type: snippetType,
    });
    const fileId = textOf(place.file_id) ?? '';
    await sendFile(context, textOf(place.upload_url) ?? '', from, length);
    const answer = await callSlack(context, login, 'files.completeUploadExternal', {
      files: [{ id: fileId, title: title ?? name }],
      channel_id: channel,
      initial_comment: initialComment,
      thread_ts: timestamp,
    });
    const file = mapsIn(answer.files)[0];
    const permalink = textOf(file?.permalink);
    return { fileId, ...(permalink !== undefined && { permalink }), ...(file && { file: { ...file } }) };
  },
});

async function sizeOf({ files }: TaskContext, uri: string): Promise<number> {
  const size = isStorageUri(uri) ? await files.sizeOf(uri) : undefined;
  if (size === undefined)
    throw new TaskFailed(`There is no file ${uri} in internal storage.`, { retry: false });
  return size;
}

async function sendFile(context: TaskContext, url: string, uri: string, length: number): Promise<void> {
  context.masker.add(url);
  const { status, body } = await context.fetch({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(length) },
    body: await context.files.read(uri),
    signal: context.signal,
  });
  for await (const _ of body);
  if (status !== 200) throw new TaskFailed(`Slack did not take the file: status ${status}.`);
}

const fileOutput = { file: anyMap.describe('The file as Slack describes it.') };

const info = defineMethod({
  name: 'files.Info',
  method: 'files.info',
  title: 'Describe a file on Slack',
  description: 'Returns the name, type, size, channels and other facts of a file.',
  properties: { file: fileProperty() },
  output: fileOutput,
  read: (answer) => ({ file: { ...mapIn(answer.file) } }),
  example: 'file: F0123456789',
});

const remove = defineMethod({
  name: 'files.Delete',
  method: 'files.delete',
  title: 'Delete a file on Slack',
  description: 'Deletes a file that the app uploaded.',
  properties: { file: fileProperty() },
  output: noOutput,
  read: readNothing,
  example: 'file: F0123456789',
});

export const slackFiles = [upload, info, remove];
