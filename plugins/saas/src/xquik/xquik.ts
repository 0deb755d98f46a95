import type { FetchType, JsonMap, TaskContext } from '@millrace/plugin-kit';
import { httpOptionsWithHeaders, mapIn } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { bodyFetchType, bodyOutput, keepBody } from '../rest/keepBody.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const xquik = defineService({
  name: 'Xquik',
  prefix: 'xquik',
  properties: {
    apiKey: need.secret('An API key.'),
    baseUrl: preset.text('https://xquik.com/api/v1', 'The address of the API.'),
    fetchType: bodyFetchType,
    options: {
      schema: () =>
        httpOptionsWithHeaders()
          .optional()
          .describe('How to send: timeouts, headers, login, proxy, certificates, redirects.'),
    },
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  headers: ({ options }) => options?.headers ?? {},
  auth: ({ apiKey }) => ({ headers: { 'x-api-key': apiKey } }),
  example: { apiKey: "{{ secret('XQUIK_API_KEY') }}" },
});

const output = {
  ...bodyOutput,
  nextCursor: out.text('Where the next page starts.'),
  hasNextPage: out.flag('Whether there is another page.'),
};
const cursor = { cursor: may.text('Where the page starts: `nextCursor` of the page before.') };
const more = { additionalQueryParameters: may.map('More parameters of the request.') };

async function read(
  client: RestClient,
  context: TaskContext,
  {
    path,
    query,
    fetchType,
  }: { readonly path: string; readonly query?: JsonMap; readonly fetchType: FetchType },
): Promise<JsonMap> {
  const { body } = await client.send({ path, ...(query && { query }) });
  const { next_cursor: next, nextCursor = next, has_next_page: has, hasNextPage = has } = mapIn(body);
  return { ...(await keepBody(context, fetchType, body)), nextCursor, hasNextPage };
}

export const xquikTypes = [
  xquik.task({
    type: 'trends.List',
    title: 'List trends of X with Xquik',
    description: 'Lists what people of a region talk about.',
    properties: {
      woeid: preset.integer(1, 'The region; 1 for the world.'),
      count: preset.integer(30, 'How many trends are returned.'),
    },
    output,
    run: (client, { woeid, count, fetchType }, context) =>
      read(client, context, { path: '/x/trends', query: { woeid, count }, fetchType }),
    example: { woeid: 23424829 },
  }),
  xquik.task({
    type: 'tweets.Get',
    title: 'Get a post of X with Xquik',
    description: 'Reads one post.',
    properties: { tweetId: need.text('The id of the post.') },
    output,
    run: (client, { tweetId, fetchType }, context) =>
      read(client, context, { path: `/x/tweets/${encodeURIComponent(tweetId)}`, fetchType }),
    example: { tweetId: '1893456789012345678' },
  }),
  xquik.task({
    type: 'tweets.Search',
    title: 'Search posts of X with Xquik',
    description: 'Searches posts, one page at a time.',
    properties: {
      query: need.text('The search, with the operators of X.'),
      queryType: preset.choice(['Latest', 'Top'], 'Latest', 'The order of the posts.'),
      limit: preset.integer(20, 'How many posts are returned.'),
      sinceTime: may.text('Only posts after this date.'),
      untilTime: may.text('Only posts before this date.'),
      ...cursor,
      ...more,
    },
    output,
    run: (client, input, context) => {
      const { query: q, queryType, limit, sinceTime, untilTime, cursor: at, fetchType } = input;
      const query = {
        q,
        queryType,
        limit,
        cursor: at,
        sinceTime,
        untilTime,
        ...input.additionalQueryParameters,
      };
      return read(client, context, { path: '/x/tweets/search', query, fetchType });
    },
    example: { query: 'millrace workflow', limit: 10 },
  }),
  xquik.task({
    type: 'users.Get',
    title: 'Get a user of X with Xquik',
    description: 'Reads the profile of one user.',
    properties: { user: need.text('The name or the id of the user.') },
    output,
    run: (client, { user, fetchType }, context) =>
      read(client, context, { path: `/x/users/${encodeURIComponent(user)}`, fetchType }),
    example: { user: 'ada' },
  }),
  xquik.task({
    type: 'users.Search',
    title: 'Search users of X with Xquik',
    description: 'Searches users, one page at a time.',
    properties: { query: need.text('The search.'), ...cursor },
    output,
    run: (client, { query: q, cursor: at, fetchType }, context) =>
      read(client, context, { path: '/x/users/search', query: { q, cursor: at }, fetchType }),
    example: { query: 'data engineering' },
  }),
  xquik.task({
    type: 'users.Tweets',
    title: 'List posts of a user of X with Xquik',
    description: 'Lists the posts of one user, one page at a time.',
    properties: {
      user: need.text('The name or the id of the user.'),
      includeReplies: preset.flag(false, 'Return replies too.'),
      includeParentTweet: preset.flag(false, 'Return the posts that were replied to.'),
      ...cursor,
      ...more,
    },
    output,
    run: (client, input, context) => {
      const { user, includeReplies, includeParentTweet, cursor: at, fetchType } = input;
      const query = { cursor: at, includeReplies, includeParentTweet, ...input.additionalQueryParameters };
      return read(client, context, { path: `/x/users/${encodeURIComponent(user)}/tweets`, query, fetchType });
    },
    example: { user: 'ada' },
  }),
];
