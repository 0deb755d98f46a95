import {
  choice,
  defineTask,
  fetchedOutput,
  fetchRows,
  fetchTypeProperty,
  integer,
  type JsonMap,
  listOf,
  mapIn,
  mapsIn,
  messageOf,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { oneTask } from '../base/serviceTasks.ts';
import { callGraph, facebookLogin, facebookPage, idIn, listGraph } from './graph.ts';

const login = `pageId: "1234567890"
accessToken: "{{ secret('FACEBOOK_TOKEN') }}"`;
const postOutput = () => z.object({ postId: z.string().describe('The id of the post.') });
const messageProperty = () => text().describe('The text of the post.');
const linkProperty = () => text().optional().describe('An address that the post shows.');

export const facebookCreate = defineTask({
  type: 'meta.facebook.posts.Create',
  title: 'Publish a post on a Facebook page',
  description: 'Publishes a text, with a link if you like, on a page.',
  input: () => z.object({ ...facebookPage, message: messageProperty(), link: linkProperty() }),
  output: postOutput,
  sideEffects: true,
  examples: [
    oneTask(
      'meta.facebook.posts.Create',
      `${login}\nmessage: The new release is out.`,
      'Publish a text.',
      'facebook_post',
    ),
  ],
  run: async (context, { message, link, ...page }) => {
    const answer = await callGraph(context, facebookLogin(page), {
      method: 'POST',
      path: `${page.pageId}/feed`,
      body: { message, link },
    });
    return { postId: idIn(answer, 'post') };
  },
});

export const facebookSchedule = defineTask({
  type: 'meta.facebook.posts.Schedule',
  title: 'Schedule a post on a Facebook page',
  description: 'Publishes a post later: at least 10 minutes and at most 30 days ahead.',
  input: () =>
    z.object({
      ...facebookPage,
      message: messageProperty(),
      link: linkProperty(),
      scheduledPublishTime: text().describe('When to publish it: an ISO date, or the seconds since 1970.'),
    }),
  output: postOutput,
  sideEffects: true,
  examples: [
    oneTask(
      'meta.facebook.posts.Schedule',
      `${login}\nmessage: Good morning.\nscheduledPublishTime: "2030-01-01T08:00:00Z"`,
      'Publish a text later.',
      'facebook_schedule',
    ),
  ],
  run: async (context, { message, link, scheduledPublishTime, ...page }) => {
    const answer = await callGraph(context, facebookLogin(page), {
      method: 'POST',
      path: `${page.pageId}/feed`,
      body: { message, link, published: false, scheduled_publish_time: toSeconds(scheduledPublishTime) },
    });
    return { postId: idIn(answer, 'post') };
  },
});

function toSeconds(written: string): number {
  const seconds = /^\d+$/.test(written.trim()) ? Number(written) : Math.floor(Date.parse(written) / 1000);
  if (Number.isNaN(seconds))
    throw new TaskFailed(`"scheduledPublishTime" must be a date, got "${written}".`, { retry: false });
  return seconds;
}

export const facebookDelete = defineTask({
  type: 'meta.facebook.posts.Delete',
  title: 'Delete posts of a Facebook page',
  description:
    'Deletes posts. Those that cannot be deleted are listed; the task does not fail because of them.',
  input: () =>
    z.object({ ...facebookPage, postIds: listOf(text(), { min: 1 }).describe('The ids of the posts.') }),
  output: () =>
    z.object({
      deletedPostIds: z.array(z.string()).describe('The posts that are gone.'),
      failedPostIds: z.array(z.string()).describe('The posts that could not be deleted.'),
      totalDeleted: z.number().describe('How many are gone.'),
      totalFailed: z.number().describe('How many could not be deleted.'),
      allSuccess: z.boolean().describe('Whether all are gone.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'meta.facebook.posts.Delete',
      `${login}\npostIds: ["1234567890_1"]`,
      'Delete a post.',
      'facebook_delete',
    ),
  ],
  run: async (context, { postIds, ...page }) => {
    const deletedPostIds: string[] = [];
    const failedPostIds: string[] = [];
    for (const id of postIds) {
      try {
        const answer = await callGraph(context, facebookLogin(page), {
          method: 'DELETE',
          path: encodeURIComponent(id),
        });
        (answer.success === false ? failedPostIds : deletedPostIds).push(id);
      } catch (error) {
        if (context.signal.aborted) throw error;
        failedPostIds.push(id);
        await context.log('WARN', `Post "${id}" was not deleted: ${messageOf(error)}`);
      }
    }
    return {
      deletedPostIds,
      failedPostIds,
      totalDeleted: deletedPostIds.length,
      totalFailed: failedPostIds.length,
      allSuccess: failedPostIds.length === 0,
    };
  },
});

export const facebookList = defineTask({
  type: 'meta.facebook.posts.List',
  title: 'List the posts of a Facebook page',
  description: 'Lists the posts of a page, newest first.',
  input: () =>
    z.object({
      ...facebookPage,
      fields: text().optional().describe('The fields of each post, such as `id,message,created_time`.'),
      limit: integer({ min: 1 }).default(100).describe('The most posts to read.'),
      fetchType: fetchTypeProperty('FETCH'),
    }),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: [oneTask('meta.facebook.posts.List', `${login}\nlimit: 10`, 'List posts.', 'facebook_list')],
  run: (context, { fields, limit, fetchType: kind, ...page }) =>
    fetchRows(
      context,
      kind,
      listGraph(context, facebookLogin(page), { path: `${page.pageId}/posts`, query: { fields }, limit }),
    ),
});

const metrics =
  'POST_REACTIONS_LIKE_TOTAL,POST_REACTIONS_LOVE_TOTAL,POST_REACTIONS_WOW_TOTAL,POST_REACTIONS_HAHA_TOTAL,POST_REACTIONS_SORRY_TOTAL,POST_REACTIONS_ANGER_TOTAL,POST_IMPRESSIONS,POST_ENGAGED_USERS,POST_CLICKS,POST_REACTIONS_BY_TYPE_TOTAL'.split(
    ',',
  );
const presets =
  'TODAY,YESTERDAY,THIS_MONTH,LAST_MONTH,THIS_QUARTER,MAXIMUM,LAST_3D,LAST_7D,LAST_14D,LAST_28D,LAST_30D,LAST_90D,LAST_WEEK_MON_SUN,LAST_WEEK_SUN_SAT,LAST_QUARTER,LAST_YEAR,THIS_WEEK_MON_TODAY,THIS_WEEK_SUN_TODAY,THIS_YEAR';
const anyMap = z.record(z.string(), z.unknown());

export const facebookInsights = defineTask({
  type: 'meta.facebook.posts.GetInsights',
  title: 'Read how posts of a Facebook page are doing',
  description: `Reads reactions and other numbers of posts. \`since\` and \`until\` win over \`datePreset\`. A post whose numbers
cannot be read has an \`error\`; the task does not fail because of it.`,
  input: () =>
    z.object({
      ...facebookPage,
      postIds: listOf(text(), { min: 1 }).describe('The ids of the posts.'),
      // `as`: the lists are not empty.
      metrics: listOf(choice(metrics as [string, ...string[]]))
        .default(metrics.slice(0, 6))
        .describe('What to read.'),
      datePreset: choice(presets.split(',') as [string, ...string[]])
        .default('TODAY')
        .describe('The days.'),
      period: choice(['DAY', 'WEEK', 'DAYS_28', 'MONTH', 'LIFETIME', 'TOTAL_OVER_RANGE'])
        .default('LIFETIME')
        .describe('What each number sums up.'),
      since: text().optional().describe('The first day, such as `2026-01-31`.'),
      until: text().optional().describe('The last day.'),
    }),
  output: () =>
    z.object({
      posts: z
        .array(
          z.object({
            postId: z.string().describe('The post.'),
            totalInsights: z.number().describe('How many numbers there are.'),
            insights: z.array(anyMap).describe('The numbers as Meta describes them.'),
            insightsSummary: anyMap.describe('The last value of each number.'),
            period: z.string().describe('What each number sums up.'),
            error: z.string().optional().describe('Why nothing could be read.'),
          }),
        )
        .describe('The posts.'),
      totalPosts: z.number().describe('How many posts there are.'),
      totalInsights: z.number().describe('How many numbers there are.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'meta.facebook.posts.GetInsights',
      `${login}\npostIds: ["1234567890_1"]\ndatePreset: LAST_7D`,
      'Read the reactions of a week.',
      'facebook_insights',
    ),
  ],
  run: async (context, { postIds, metrics: names, datePreset, period, since, until, ...page }) => {
    const range =
      since === undefined && until === undefined
        ? { date_preset: datePreset.toLowerCase() }
        : { since, until };
    const query = { metric: names.join(',').toLowerCase(), period: period.toLowerCase(), ...range };
    const posts = [];
    for (const postId of postIds) {
      const post = { postId, period, totalInsights: 0, insights: [], insightsSummary: {} };
      try {
        const path = `${encodeURIComponent(postId)}/insights`;
        const answer = await callGraph(context, facebookLogin(page), { path, query });
        const insights = mapsIn(answer.data).map((each) => ({ ...each }));
        posts.push({
          ...post,
          totalInsights: insights.length,
          insights,
          insightsSummary: lastValues(insights),
        });
      } catch (error) {
        if (context.signal.aborted) throw error;
        posts.push({ ...post, error: messageOf(error) });
      }
    }
    const totalInsights = posts.reduce((sum, post) => sum + post.totalInsights, 0);
    return { posts, totalPosts: posts.length, totalInsights };
  },
});

const lastValues = (insights: readonly JsonMap[]): Record<string, unknown> =>
  Object.fromEntries(
    insights.map(({ name, values }) => [String(name), mapIn(mapsIn(values).at(-1)).value ?? null]),
  );
