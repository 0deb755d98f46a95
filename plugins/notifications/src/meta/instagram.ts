import { setTimeout as delay } from 'node:timers/promises';
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
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { oneTask } from '../base/serviceTasks.ts';
import { callGraph, idIn, instagramAccount, instagramLogin, listGraph } from './graph.ts';

const login = `igId: "17841400000000000"
accessToken: "{{ secret('INSTAGRAM_TOKEN') }}"`;
const captionProperty = () => text().optional().describe('The text below.');

interface Account {
  readonly igId: string;
  readonly accessToken: string;
  readonly apiVersion: string;
  readonly host: string;
}

const createContainer = async (context: TaskContext, account: Account, body: JsonMap): Promise<string> =>
  idIn(
    await callGraph(context, instagramLogin(account), {
      method: 'POST',
      path: `${account.igId}/media`,
      body,
    }),
    'container',
  );

const publish = async (context: TaskContext, account: Account, containerId: string): Promise<string> =>
  idIn(
    await callGraph(context, instagramLogin(account), {
      method: 'POST',
      path: `${account.igId}/media_publish`,
      body: { creation_id: containerId },
    }),
    'post',
  );

/** Instagram fetches and converts media before it can be published; videos take minutes. */
const readyWithinMs = 10 * 60_000;
const firstPauseMs = 250;

async function waitUntilReady(context: TaskContext, account: Account, containerId: string): Promise<void> {
  for (
    let pauseMs = firstPauseMs, deadline = Date.now() + readyWithinMs;
    ;
    pauseMs = Math.min(pauseMs * 2, 10_000)
  ) {
    const answer = await callGraph(context, instagramLogin(account), {
      path: containerId,
      query: { fields: 'status_code,status' },
    });
    const code = textOf(answer.status_code) ?? 'FINISHED';
    if (code === 'FINISHED' || code === 'PUBLISHED') return;
    if (code === 'ERROR' || code === 'EXPIRED')
      throw new TaskFailed(`Instagram could not use the media: ${textOf(answer.status) ?? code}`, {
        retry: false,
      });
    if (Date.now() > deadline)
      throw new TaskFailed(`Instagram did not prepare the media within ${readyWithinMs / 60_000} minutes.`);
    await delay(pauseMs, undefined, { signal: context.signal });
  }
}

async function publishReady(context: TaskContext, account: Account, body: JsonMap) {
  const containerId = await createContainer(context, account, body);
  await waitUntilReady(context, account, containerId);
  return { mediaId: await publish(context, account, containerId), containerId };
}

const publishedOutput = () =>
  z.object({
    mediaId: z.string().describe('The id of the post.'),
    containerId: z.string().describe('The id of the container that it was made of.'),
  });

export const instagramImage = defineTask({
  type: 'meta.instagram.media.CreateImage',
  title: 'Publish an image on Instagram',
  description: 'Publishes a JPEG image that Instagram can fetch from a public address.',
  input: () =>
    z.object({
      ...instagramAccount,
      imageUrl: text().describe('The public address of the image.'),
      caption: captionProperty(),
    }),
  output: publishedOutput,
  sideEffects: true,
  examples: [
    oneTask(
      'meta.instagram.media.CreateImage',
      `${login}\nimageUrl: https://example.com/chart.jpg\ncaption: The numbers of today`,
      'Publish an image.',
      'instagram_image',
    ),
  ],
  run: (context, { imageUrl, caption, ...account }) =>
    publishReady(context, account, { image_url: imageUrl, caption }),
});

export const instagramVideo = defineTask({
  type: 'meta.instagram.media.CreateVideo',
  title: 'Publish a video on Instagram',
  description:
    'Publishes a video that Instagram can fetch from a public address. Instagram publishes `VIDEO` as a reel since it has no other videos.',
  input: () =>
    z.object({
      ...instagramAccount,
      videoUrl: text().describe('The public address of the video.'),
      caption: captionProperty(),
      videoType: choice(['VIDEO', 'REELS', 'STORIES']).default('VIDEO').describe('The kind of video.'),
    }),
  output: publishedOutput,
  sideEffects: true,
  examples: [
    oneTask(
      'meta.instagram.media.CreateVideo',
      `${login}\nvideoUrl: https://example.com/demo.mp4\nvideoType: REELS`,
      'Publish a reel.',
      'instagram_video',
    ),
  ],
  run: (context, { videoUrl, caption, videoType, ...account }) =>
    publishReady(context, account, {
      video_url: videoUrl,
      caption,
      media_type: videoType === 'VIDEO' ? 'REELS' : videoType,
    }),
});

const isVideo = (url: string): boolean => /\.(mp4|mov|m4v)(\?|$)/i.test(url);

export const instagramCarousel = defineTask({
  type: 'meta.instagram.media.CreateCarousel',
  title: 'Publish several images or videos as one post on Instagram',
  description:
    'Publishes two to ten images and videos. Addresses that end in `.mp4`, `.mov` or `.m4v` are videos.',
  input: () =>
    z.object({
      ...instagramAccount,
      mediaUrls: listOf(text(), { min: 1 }).describe('The public addresses, two to ten.'),
      caption: captionProperty(),
    }),
  output: () =>
    z.object({
      mediaId: z.string().describe('The id of the post.'),
      carouselContainerId: z.string().describe('The id of the container of the post.'),
      childContainerIds: z.array(z.string()).describe('The ids of the containers of its parts.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'meta.instagram.media.CreateCarousel',
      `${login}\nmediaUrls:\n  - https://example.com/1.jpg\n  - https://example.com/2.jpg`,
      'Publish two images.',
      'instagram_carousel',
    ),
  ],
  run: async (context, { mediaUrls, caption, ...account }) => {
    if (mediaUrls.length < 2 || mediaUrls.length > 10)
      throw new TaskFailed(`A carousel holds 2 to 10 images and videos, got ${mediaUrls.length}.`, {
        retry: false,
      });
    const childContainerIds: string[] = [];
    for (const url of mediaUrls) {
      const media = isVideo(url) ? { media_type: 'VIDEO', video_url: url } : { image_url: url };
      childContainerIds.push(await createContainer(context, account, { ...media, is_carousel_item: true }));
    }
    for (const id of childContainerIds) await waitUntilReady(context, account, id);
    const body = { media_type: 'CAROUSEL', children: childContainerIds.join(','), caption };
    const { mediaId, containerId } = await publishReady(context, account, body);
    return { mediaId, carouselContainerId: containerId, childContainerIds };
  },
});

const insightMetrics =
  'LIKES,COMMENTS,SAVES,SHARES,REACH,IMPRESSIONS,PROFILE_VISITS,PROFILE_ACTIVITY,WEBSITE_CLICKS,EMAIL_CONTACTS,PHONE_CALL_CLICKS,TEXT_MESSAGE_CLICKS,GET_DIRECTIONS_CLICKS,FOLLOWS,UNFOLLOWS,VIEWS,TOTAL_INTERACTIONS,REPLIES,TAPS_FORWARD,TAPS_BACK,EXITS,NAVIGATION';

/** The Graph API has a different name for one metric. */
const metricName = (metric: string): string => (metric === 'SAVES' ? 'saved' : metric.toLowerCase());

export const instagramInsights = defineTask({
  type: 'meta.instagram.media.GetInsights',
  title: 'Read how a post on Instagram is doing',
  description: 'Reads likes, comments, reach and other numbers of a post.',
  input: () =>
    z.object({
      ...instagramAccount,
      mediaId: text().describe('The id of the post.'),
      // `as`: the list is not empty.
      metrics: listOf(choice(insightMetrics.split(',') as [string, ...string[]]))
        .default(['LIKES', 'COMMENTS', 'SAVES', 'REACH'])
        .describe('What to read.'),
    }),
  output: () =>
    z.object({
      mediaId: z.string().describe('The post.'),
      insights: z
        .array(
          z.object({
            name: z.string().describe('The name of the number.'),
            period: z.string().optional().describe('What it sums up.'),
            title: z.string().optional().describe('Its title.'),
            description: z.string().optional().describe('What it means.'),
            value: z.number().describe('The number.'),
          }),
        )
        .describe('The numbers.'),
      totalInsights: z.number().describe('How many numbers there are.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'meta.instagram.media.GetInsights',
      `${login}\nmediaId: "17900000000000000"`,
      'Read likes and reach.',
      'instagram_insights',
    ),
  ],
  run: async (context, { mediaId, metrics, ...account }) => {
    const answer = await callGraph(context, instagramLogin(account), {
      path: `${encodeURIComponent(mediaId)}/insights`,
      query: { metric: metrics.map(metricName).join(',') },
    });
    const insights = mapsIn(answer.data).map(toInsight);
    return { mediaId, insights, totalInsights: insights.length };
  },
});

function toInsight({ name, period, title, description, values }: JsonMap) {
  const [optionalPeriod, optionalTitle, words] = [textOf(period), textOf(title), textOf(description)];
  return {
    name: textOf(name) ?? '',
    ...(optionalPeriod !== undefined && { period: optionalPeriod }),
    ...(optionalTitle !== undefined && { title: optionalTitle }),
    ...(words !== undefined && { description: words }),
    value: Number(mapIn(mapsIn(values)[0]).value ?? 0),
  };
}

const mediaFields =
  'ID,MEDIA_TYPE,MEDIA_URL,PERMALINK,THUMBNAIL_URL,TIMESTAMP,CAPTION,USERNAME,COMMENTS_COUNT,LIKE_COUNT,IS_SHARED_TO_FEED,BOOST_ADS_LIST,BOOST_ELIGIBILITY_INFO,IS_COMMENT_ENABLED,VIEW_COUNT'.split(
    ',',
  );

export const instagramList = defineTask({
  type: 'meta.instagram.media.List',
  title: 'List the posts of an Instagram account',
  description: 'Lists the posts of an account, newest first.',
  input: () =>
    z.object({
      ...instagramAccount,
      limit: integer({ min: 1 }).default(25).describe('The most posts to read.'),
      // `as`: the list is not empty.
      fields: listOf(choice(mediaFields as [string, ...string[]]))
        .default(mediaFields.slice(0, 7))
        .describe('The fields of each post.'),
      fetchType: fetchTypeProperty('FETCH'),
    }),
  output: () => z.object(fetchedOutput),
  sideEffects: true,
  examples: [oneTask('meta.instagram.media.List', `${login}\nlimit: 5`, 'List posts.', 'instagram_list')],
  run: (context, { limit, fields, fetchType: kind, ...account }) =>
    fetchRows(
      context,
      kind,
      listGraph(context, instagramLogin(account), {
        path: `${account.igId}/media`,
        query: { fields: fields.join(',').toLowerCase() },
        limit,
      }),
    ),
});
