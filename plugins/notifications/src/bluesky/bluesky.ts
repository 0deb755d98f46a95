import {
  cutText,
  type JsonMap,
  type Summary,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { askService } from '../base/readResponse.ts';
import { type RequestOptions, requestOptions } from '../base/requestOptions.ts';
import { defineSummary, onFailure, onFlowFailure } from '../base/serviceTasks.ts';

const type = 'bluesky.BlueskyExecution';
const longestPost = 300;

export const blueskyExecution = defineSummary({
  type,
  title: 'Post a report about an execution on Bluesky',
  description: `Posts the state, duration and failed task of an execution with a link to its page, or \`textBody\`. Posts are
public. A post takes at most ${longestPost} characters; the report is cut, a longer \`textBody\` is refused.`,
  properties: {
    identifier: text().describe('The account: a handle such as `ada.bsky.social`, or a mail address.'),
    appPassword: text().describe('An app password of the account. Keep it in a secret.'),
    baseUrl: text().default('https://bsky.social').describe('The server of the account.'),
    textBody: text().optional().describe('The text of the post, instead of the report.'),
    options: requestOptions(),
  },
  examples: [
    onFailure(
      type,
      `identifier: status.example.com
appPassword: "{{ secret('BLUESKY_PASSWORD') }}"
textBody: "The nightly load is late today. We are working on it."`,
    ),
    onFlowFailure(
      type,
      `identifier: status.example.com
appPassword: "{{ secret('BLUESKY_PASSWORD') }}"`,
    ),
  ],
  send: async (context, summary, { identifier, appPassword, baseUrl, textBody, options }) => {
    const { words, facets } = textBody === undefined ? toPost(summary) : { words: textBody, facets: [] };
    const length = lengthOf(words);
    if (length > longestPost)
      throw new TaskFailed(`A post takes at most ${longestPost} characters, got ${length}.`, {
        retry: false,
      });
    const server = { url: `${baseUrl.replace(/\/+$/, '')}/xrpc`, options };
    const session = await ask(
      context,
      server,
      'com.atproto.server.createSession',
      { identifier, password: appPassword },
      [appPassword],
    );
    const token = textOf(session.accessJwt) ?? '';
    const record = {
      $type: 'app.bsky.feed.post',
      text: words,
      createdAt: new Date().toISOString(),
      ...(facets.length > 0 && { facets }),
    };
    const post = { repo: session.did, collection: 'app.bsky.feed.post', record };
    await ask(context, server, 'com.atproto.repo.createRecord', post, [token, appPassword], token);
  },
});

function ask(
  context: TaskContext,
  { url, options }: { readonly url: string; readonly options?: RequestOptions },
  method: string,
  body: JsonMap,
  secrets: readonly string[],
  token?: string,
): Promise<JsonMap> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return askService(context, {
    service: 'Bluesky',
    url: `${url}/${method}`,
    headers,
    body,
    secrets,
    options,
  });
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const lengthOf = (words: string): number => [...segmenter.segment(words)].length;

/** Bluesky links only text that a facet marks by its byte range. */
function toPost({ title, sentence, link, customMessage }: Summary): { words: string; facets: JsonMap[] } {
  const label = 'View execution';
  const lines = [customMessage, title, sentence.replaceAll('`', '')].filter((line) => line !== undefined);
  if (link === undefined) return { words: cutText(lines.join('\n'), longestPost), facets: [] };
  const start = `${cutText(lines.join('\n'), longestPost - label.length - 1)}\n`;
  const byteStart = Buffer.byteLength(start);
  const facet = {
    index: { byteStart, byteEnd: byteStart + Buffer.byteLength(label) },
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: link }],
  };
  return { words: `${start}${label}`, facets: [facet] };
}
