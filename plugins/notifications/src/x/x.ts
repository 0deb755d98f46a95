import { createHmac, randomBytes } from 'node:crypto';
import { cutText, type Summary, TaskFailed, text } from '@millrace/plugin-kit';
import { requestOptions } from '../base/requestOptions.ts';
import { sendRequest } from '../base/sendRequest.ts';
import { defineSummary, onFailure, onFlowFailure } from '../base/serviceTasks.ts';

const type = 'x.XExecution';
const longestPost = 280;
/** X counts every address as this many characters. */
const addressLength = 23;

const secretText = (words: string) => text().optional().describe(`${words} Keep it in a secret.`);

export const xExecution = defineSummary({
  type,
  aliases: ['notifications.x.XExecution'],
  title: 'Post a report about an execution on X',
  description: `Posts the state, duration and failed task of an execution with a link to its page, or \`textBody\`. Posts are
public. Log in with \`bearerToken\` (OAuth 2.0 user context) or with all four of \`consumerKey\`, \`consumerSecret\`,
\`accessToken\` and \`accessSecret\` (OAuth 1.0a). A post takes at most ${longestPost} characters.`,
  properties: {
    url: text().default('https://api.x.com/2/tweets').describe('The call of the API.'),
    bearerToken: secretText('The access token of a user (OAuth 2.0).'),
    consumerKey: secretText('The key of the app (OAuth 1.0a).'),
    consumerSecret: secretText('The secret of the app.'),
    accessToken: secretText('The access token of the user (OAuth 1.0a).'),
    accessSecret: secretText('The secret of the access token.'),
    textBody: text().optional().describe('The text of the post, instead of the report.'),
    options: requestOptions(),
  },
  examples: [
    onFailure(
      type,
      `bearerToken: "{{ secret('X_TOKEN') }}"
textBody: "The nightly load is late today. We are working on it."`,
    ),
    onFlowFailure(
      type,
      `consumerKey: "{{ secret('X_CONSUMER_KEY') }}"
consumerSecret: "{{ secret('X_CONSUMER_SECRET') }}"
accessToken: "{{ secret('X_ACCESS_TOKEN') }}"
accessSecret: "{{ secret('X_ACCESS_SECRET') }}"`,
    ),
  ],
  send: async (context, summary, { url, textBody, options, ...login }) => {
    const post = textBody ?? toPost(summary);
    const length = weightedLength(post);
    if (length > longestPost)
      throw new TaskFailed(`A post takes at most ${longestPost} characters, got ${length}.`, {
        retry: false,
      });
    const { bearerToken, consumerKey, consumerSecret, accessToken, accessSecret } = login;
    const authorization =
      bearerToken !== undefined
        ? `Bearer ${bearerToken}`
        : signed(url, { consumerKey, consumerSecret, accessToken, accessSecret });
    await sendRequest(context, {
      service: 'X',
      url,
      headers: { authorization },
      body: { text: post },
      secrets: [bearerToken, consumerKey, consumerSecret, accessToken, accessSecret],
      options,
    });
  },
});

function toPost({ title, sentence, link, customMessage, fields }: Summary): string {
  const more = fields
    .slice(fields.findIndex(([name]) => name === 'Execution Status') + 1)
    .filter(([name]) => !name.endsWith('task ID'))
    .map(([name, value]) => `${name}: ${value}`);
  const lines = [customMessage, title, sentence.replaceAll('`', ''), ...more].filter(
    (line) => line !== undefined,
  );
  const room = longestPost - (link === undefined ? 0 : addressLength + 1);
  return [cutText(lines.join('\n'), room), link].filter((part) => part !== undefined).join('\n');
}

const weightedLength = (post: string): number =>
  [...post.replace(/https?:\/\/\S+/g, 'x'.repeat(addressLength))].length;

interface OAuth1 {
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly accessSecret?: string | undefined;
}

/** The header of a request signed with OAuth 1.0a and HMAC-SHA1; the JSON body is no part of the signature. */
function signed(url: string, { consumerKey, consumerSecret, accessToken, accessSecret }: OAuth1): string {
  if (!consumerKey || !consumerSecret || !accessToken || !accessSecret)
    throw new TaskFailed(
      'Either "bearerToken" or all of "consumerKey", "consumerSecret", "accessToken" and "accessSecret" must be given.',
      { retry: false },
    );
  const address = new URL(url);
  const oauth: Record<string, string> = {
    oauth_consumer_key: consumerKey,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_token: accessToken,
    oauth_version: '1.0',
  };
  const parameters = [...address.searchParams, ...Object.entries(oauth)]
    .map(([name, value]) => `${percent(name)}=${percent(value)}`)
    .sort()
    .join('&');
  const base = ['POST', percent(`${address.origin}${address.pathname}`), percent(parameters)].join('&');
  const key = `${percent(consumerSecret)}&${percent(accessSecret)}`;
  const oauth_signature = createHmac('sha1', key).update(base).digest('base64');
  const pairs = Object.entries({ ...oauth, oauth_signature });
  return `OAuth ${pairs.map(([name, value]) => `${percent(name)}="${percent(value)}"`).join(', ')}`;
}

/** Percent-encoding as OAuth wants it, which leaves fewer signs alone than the language does. */
const percent = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
