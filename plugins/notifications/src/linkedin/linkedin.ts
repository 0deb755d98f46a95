import {
  defineTask,
  defineTrigger,
  duration,
  fixed,
  type JsonMap,
  listOf,
  mapIn,
  mapsIn,
  messageOf,
  type TaskContext,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askService } from '../base/readResponse.ts';
import { oneTask } from '../base/serviceTasks.ts';

const apiBase = 'https://api.linkedin.com/rest';
const tokenProperty = () => text().describe('The access token. Keep it in a secret.');
const applicationProperty = () =>
  text().default('kestra-linkedin-plugin').describe('The name under which requests are made.');
const versionProperty = () => text().default('202509').describe('The version of the API, as year and month.');

interface LinkedIn {
  readonly accessToken: string;
  readonly version: string;
  readonly applicationName: string;
  readonly base: string;
}

const pageSize = 100;

/** The elements of a list, page after page. */
async function* listElements(
  context: TaskContext,
  linkedIn: LinkedIn,
  path: string,
  query: string,
): AsyncIterable<JsonMap> {
  const { accessToken, version, applicationName, base } = linkedIn;
  for (let start = 0; ; start += pageSize) {
    const answer = await askService(context, {
      service: 'LinkedIn',
      url: `${base.replace(/\/+$/, '')}/${path}?${query}${query === '' ? '' : '&'}start=${start}&count=${pageSize}`,
      method: 'GET',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'linkedin-version': version,
        'x-restli-protocol-version': '2.0.0',
        'user-agent': applicationName,
      },
      secrets: [accessToken],
    });
    const elements = mapsIn(answer.elements);
    yield* elements;
    if (elements.length < pageSize) return;
  }
}

export const linkedInOAuth = defineTask({
  type: 'linkedin.OAuth2',
  title: 'Get an access token of LinkedIn',
  description: `Exchanges a refresh token for an access token. The access token is an output: it can be read by everyone who sees
the execution, so let the flow end soon after it is used.`,
  input: () =>
    z.object({
      clientId: text().describe('The id of the app.'),
      clientSecret: text().describe('The secret of the app. Keep it in a secret.'),
      refreshToken: text().describe('The refresh token. Keep it in a secret.'),
      tokenUrl: text()
        .default('https://www.linkedin.com/oauth/v2/accessToken')
        .describe('The address that gives tokens.'),
    }),
  output: () =>
    z.object({
      accessToken: z.string().describe('The access token.'),
      tokenType: z.string().describe('The kind of token.'),
      expiresIn: z.number().describe('The seconds until it expires.'),
      scope: z.string().optional().describe('What it allows.'),
      expiresAt: z.string().describe('When it expires.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'linkedin.OAuth2',
      `clientId: "{{ secret('LINKEDIN_CLIENT') }}"
clientSecret: "{{ secret('LINKEDIN_SECRET') }}"
refreshToken: "{{ secret('LINKEDIN_REFRESH') }}"`,
      'Get a token.',
      'linkedin_token',
    ),
  ],
  run: async (context, { clientId, clientSecret, refreshToken, tokenUrl }) => {
    const answer = await askService(context, {
      service: 'LinkedIn',
      url: tokenUrl,
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      }),
      secrets: [clientSecret, refreshToken],
    });
    const expiresIn = Number(answer.expires_in ?? 0);
    const scope = textOf(answer.scope);
    return {
      accessToken: textOf(answer.access_token) ?? '',
      tokenType: textOf(answer.token_type) ?? 'Bearer',
      expiresIn,
      ...(scope !== undefined && { scope }),
      expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString(),
    };
  },
});

const reaction = z.object({
  reactionId: z.string().optional().describe('The id of the reaction.'),
  reactionType: z.string().describe('`LIKE`, `PRAISE`, `EMPATHY` …'),
  actorUrn: z.string().optional().describe('Who reacted.'),
  rootUrn: z.string().optional().describe('The post.'),
  createdTime: z.number().optional().describe('When, in milliseconds since 1970.'),
  lastModifiedTime: z.number().optional().describe('When it was changed.'),
  impersonatorUrn: z.string().optional().describe('Who reacted on behalf of the actor.'),
});

export const linkedInAnalytics = defineTask({
  type: 'linkedin.GetPostAnalytics',
  title: 'Count the reactions to LinkedIn posts',
  description:
    'Lists and counts the reactions. A post that cannot be read has an `error`; the task does not fail because of it.',
  input: () =>
    z.object({
      activityUrns: listOf(text(), { min: 1 }).describe(
        'The posts, such as `urn:li:activity:7000000000000000000`.',
      ),
      accessToken: tokenProperty(),
      applicationName: applicationProperty(),
      apiVersion: versionProperty(),
      apiBaseUrl: text().default(apiBase).describe('The address of the API.'),
    }),
  output: () =>
    z.object({
      posts: z
        .array(
          z.object({
            activityUrn: z.string().describe('The post.'),
            totalReactions: z.number().describe('How many reactions it has.'),
            reactions: z.array(reaction).describe('The reactions.'),
            reactionsSummary: z.record(z.string(), z.number()).describe('How many there are of each kind.'),
            error: z.string().optional().describe('Why the post could not be read.'),
          }),
        )
        .describe('The posts.'),
      totalPosts: z.number().describe('How many posts there are.'),
      totalReactions: z.number().describe('How many reactions there are.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'linkedin.GetPostAnalytics',
      `accessToken: "{{ secret('LINKEDIN_TOKEN') }}"
activityUrns:
  - urn:li:activity:7000000000000000000`,
      'Count reactions.',
      'linkedin_reactions',
    ),
  ],
  run: async (context, { activityUrns, accessToken, applicationName, apiVersion, apiBaseUrl }) => {
    const linkedIn = { accessToken, applicationName, version: apiVersion, base: apiBaseUrl };
    const posts = [];
    for (const activityUrn of activityUrns) {
      const reactions: z.infer<typeof reaction>[] = [];
      const reactionsSummary: Record<string, number> = {};
      let error: string | undefined;
      try {
        const path = `reactions/(entity:${encodeURIComponent(activityUrn)})`;
        for await (const element of listElements(context, linkedIn, path, 'q=entity')) {
          const each = toReaction(element);
          reactions.push(each);
          reactionsSummary[each.reactionType] = (reactionsSummary[each.reactionType] ?? 0) + 1;
        }
      } catch (failure) {
        if (context.signal.aborted) throw failure;
        error = messageOf(failure);
      }
      posts.push({
        activityUrn,
        totalReactions: reactions.length,
        reactions,
        reactionsSummary,
        ...(error !== undefined && { error }),
      });
    }
    const totalReactions = posts.reduce((sum, post) => sum + post.totalReactions, 0);
    return { posts, totalPosts: posts.length, totalReactions };
  },
});

function toReaction(element: JsonMap): z.infer<typeof reaction> {
  const { created, lastModified } = element;
  return reaction.parse({
    reactionId: textOf(element.id),
    reactionType: textOf(element.reactionType) ?? 'UNKNOWN',
    actorUrn: textOf(mapIn(created).actor) ?? textOf(element.actor),
    rootUrn: textOf(element.root),
    createdTime: Number(mapIn(created).time ?? 0),
    lastModifiedTime: Number(mapIn(lastModified).time ?? 0),
    impersonatorUrn: textOf(mapIn(created).impersonator),
  });
}

const comment = z.object({
  postUrn: z.string().describe('The post.'),
  commentId: z.string().describe('The id of the comment.'),
  commentUrn: z.string().optional().describe('The URN of the comment.'),
  commentText: z.string().describe('The text.'),
  actorUrn: z.string().optional().describe('Who wrote it.'),
  agentUrn: z.string().optional().describe('Who wrote it on behalf of the actor.'),
  createdTime: z.string().describe('When it was written.'),
});

/** The most comments of one evaluation that are kept in the outputs. */
const mostComments = 500;

export const linkedInComments = defineTrigger({
  type: 'linkedin.CommentTrigger',
  role: 'polling',
  title: 'Start an execution when a LinkedIn post has new comments',
  description: `Reads the comments of posts every \`interval\`. The first evaluation only remembers the time; later ones start one
execution for all comments that are newer. The fields of the newest comment are outputs by themselves.`,
  input: () =>
    z.object({
      accessToken: tokenProperty(),
      postUrns: listOf(text(), { min: 1 }).describe('The posts, such as `urn:li:share:7000000000000000000`.'),
      interval: fixed(duration()).prefault('PT30M').describe('The pause between two evaluations.'),
      linkedinVersion: versionProperty(),
      applicationName: applicationProperty(),
    }),
  output: () =>
    comment.extend({
      newCommentsCount: z.number().describe('How many comments are new.'),
      allNewComments: z.array(comment).describe('The new comments, oldest first.'),
    }),
  examples: [
    {
      title: 'Log new comments.',
      runs: false,
      code: `id: linkedin_comments
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.newCommentsCount }} new comments, the last one: {{ trigger.commentText }}"

triggers:
  - id: comments
    type: linkedin.CommentTrigger
    accessToken: "{{ secret('LINKEDIN_TOKEN') }}"
    postUrns:
      - urn:li:share:7000000000000000000
    interval: PT15M
`,
    },
  ],
  poll: async (context, { accessToken, postUrns, linkedinVersion, applicationName }) => {
    const linkedIn = { accessToken, applicationName, version: linkedinVersion, base: apiBase };
    const before = typeof context.memory === 'number' ? context.memory : undefined;
    const found: z.infer<typeof comment>[] = [];
    for (const postUrn of postUrns) {
      const path = `socialActions/${encodeURIComponent(postUrn)}/comments`;
      for await (const element of listElements(context, linkedIn, path, ''))
        found.push(toComment(postUrn, element));
    }
    const times = found.map(({ createdTime }) => Date.parse(createdTime));
    context.remember(times.reduce((latest, time) => Math.max(latest, time), before ?? Date.now()));
    if (before === undefined) return undefined;
    const fresh = found
      .filter(({ createdTime }) => Date.parse(createdTime) > before)
      .sort((a, b) => Date.parse(a.createdTime) - Date.parse(b.createdTime));
    const newest = fresh.at(-1);
    return (
      newest && { ...newest, newCommentsCount: fresh.length, allNewComments: fresh.slice(-mostComments) }
    );
  },
});

function toComment(postUrn: string, element: JsonMap): z.infer<typeof comment> {
  const created = mapIn(element.created);
  return comment.parse({
    postUrn,
    commentId: textOf(element.id) ?? '',
    commentUrn: textOf(element.commentUrn) ?? textOf(element.$URN),
    commentText: textOf(mapIn(element.message).text) ?? '',
    actorUrn: textOf(element.actor) ?? textOf(created.actor),
    agentUrn: textOf(element.agent),
    createdTime: new Date(Number(created.time ?? 0)).toISOString(),
  });
}
