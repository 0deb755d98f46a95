import type { TaskDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { linkedInAnalytics, linkedInComments, linkedInOAuth } from './linkedin/linkedin.ts';
import {
  facebookCreate,
  facebookDelete,
  facebookInsights,
  facebookList,
  facebookSchedule,
} from './meta/facebook.ts';
import {
  instagramCarousel,
  instagramImage,
  instagramInsights,
  instagramList,
  instagramVideo,
} from './meta/instagram.ts';
import { aNotifyingContext, type Received, type Reply, startReceiver } from './testing/receiver.ts';
import { segmentStatus, segmentSync } from './twilio/segment.ts';

type Data = Record<string, unknown>;

async function runAgainst(
  task: TaskDefinition,
  properties: (url: string) => Data,
  reply: (request: Received, count: number) => Reply,
) {
  const { url, received } = await startReceiver(reply);
  const outputs = await runType(task, properties(url), aNotifyingContext());
  return { outputs, received };
}

describe('a Facebook page', () => {
  const page = (more: Data) => (url: string) => ({
    pageId: '7',
    accessToken: 'page-token',
    apiBaseUrl: url,
    ...more,
  });

  test('publishes a post with the token in a header', async () => {
    const { outputs, received } = await runAgainst(
      facebookCreate,
      page({ message: 'hi', link: 'https://e.com' }),
      () => ({ body: { id: '7_1' } }),
    );
    expect(outputs).toEqual({ postId: '7_1' });
    expect(received[0]).toMatchObject({
      method: 'POST',
      path: '/v24.0/7/feed',
      body: { message: 'hi', link: 'https://e.com' },
    });
    expect(received[0]?.headers.authorization).toBe('Bearer page-token');
  });

  test('schedules a post by date', async () => {
    const { received } = await runAgainst(
      facebookSchedule,
      page({ message: 'hi', scheduledPublishTime: '2030-01-01T00:00:00Z' }),
      () => ({ body: { id: '7_1' } }),
    );
    expect(received[0]?.body).toEqual({
      message: 'hi',
      published: false,
      scheduled_publish_time: 1893456000,
    });
    await expect(
      runAgainst(facebookSchedule, page({ message: 'hi', scheduledPublishTime: 'soon' }), () => ({})),
    ).rejects.toThrow('must be a date, got "soon"');
  });

  test('deletes posts and lists those that it could not', async () => {
    const { outputs, received } = await runAgainst(
      facebookDelete,
      page({ postIds: ['a', 'b'] }),
      ({ path }) =>
        path.endsWith('/a')
          ? { body: { success: true } }
          : { status: 404, body: { error: { message: 'gone' } } },
    );
    expect(received[0]?.method).toBe('DELETE');
    expect(outputs).toEqual({
      deletedPostIds: ['a'],
      failedPostIds: ['b'],
      totalDeleted: 1,
      totalFailed: 1,
      allSuccess: false,
    });
  });

  test('lists posts page after page up to the limit', async () => {
    const { outputs, received } = await runAgainst(
      facebookList,
      page({ fields: 'id,message', limit: 3 }),
      ({ query }) =>
        query.get('after') === 'x'
          ? { body: { data: [{ id: '3' }, { id: '4' }] } }
          : {
              body: {
                data: [{ id: '1' }, { id: '2' }],
                paging: { cursors: { after: 'x' }, next: 'https://e.com' },
              },
            },
    );
    expect(outputs).toEqual({ rows: [{ id: '1' }, { id: '2' }, { id: '3' }], size: 3 });
    expect(received[0]?.query.get('fields')).toBe('id,message');
  });

  test('reads the numbers of posts', async () => {
    const { outputs, received } = await runAgainst(
      facebookInsights,
      page({ postIds: ['a', 'b'], metrics: ['POST_CLICKS'] }),
      ({ path }) =>
        path.includes('/a/')
          ? { body: { data: [{ name: 'post_clicks', values: [{ value: 3 }] }] } }
          : { status: 400, body: 'no' },
    );
    expect(Object.fromEntries(received[0]!.query)).toEqual({
      metric: 'post_clicks',
      period: 'lifetime',
      date_preset: 'today',
    });
    expect(outputs).toMatchObject({
      totalPosts: 2,
      totalInsights: 1,
      posts: [
        { postId: 'a', insightsSummary: { post_clicks: 3 } },
        { postId: 'b', error: expect.stringContaining('status 400') },
      ],
    });
  });

  test('names a token that is not accepted without showing it', async () => {
    const refused = runAgainst(facebookCreate, page({ message: 'hi', accessToken: 'wrong-token' }), () => ({
      status: 401,
      body: 'Invalid wrong-token',
    }));
    const error: Error = await refused.then(
      () => new Error(),
      (failure) => failure,
    );
    expect(error.message).toContain('Check the credentials');
    expect(error.message).not.toContain('wrong-token');
  });
});

describe('an Instagram account', () => {
  const account = (more: Data) => (url: string) => ({ igId: '9', accessToken: 't', host: url, ...more });
  /** Media are ready at the second poll. */
  const instagram = () => {
    let looks = 0;
    return ({ path, method, body }: Received): Reply => {
      if (path.endsWith('/media_publish')) return { body: { id: `post-of-${String(body.creation_id)}` } };
      if (path.endsWith('/media'))
        return { body: { id: body.media_type === 'CAROUSEL' ? 'carousel' : 'container' } };
      expect(method).toBe('GET');
      return { body: { status_code: looks++ === 0 ? 'IN_PROGRESS' : 'FINISHED' } };
    };
  };

  test.each([
    [
      instagramImage,
      { imageUrl: 'https://e.com/1.jpg', caption: 'c' },
      { image_url: 'https://e.com/1.jpg', caption: 'c' },
    ],
    [
      instagramVideo,
      { videoUrl: 'https://e.com/1.mp4' },
      { video_url: 'https://e.com/1.mp4', media_type: 'REELS' },
    ],
    [
      instagramVideo,
      { videoUrl: 'https://e.com/1.mp4', videoType: 'STORIES' },
      { video_url: 'https://e.com/1.mp4', media_type: 'STORIES' },
    ],
  ] as const)('publishes media once they are ready', async (task, properties, container) => {
    const { outputs, received } = await runAgainst(task, account(properties), instagram());
    expect(outputs).toEqual({ mediaId: 'post-of-container', containerId: 'container' });
    expect(received.map(({ path }) => path)).toEqual([
      '/v24.0/9/media',
      '/v24.0/container',
      '/v24.0/container',
      '/v24.0/9/media_publish',
    ]);
    expect(received[0]?.body).toEqual(container);
  });

  test('publishes several media as one post', async () => {
    const { outputs } = await runAgainst(
      instagramCarousel,
      account({ mediaUrls: ['https://e.com/1.jpg', 'https://e.com/2.mp4'] }),
      instagram(),
    );
    expect(outputs).toEqual({
      mediaId: 'post-of-carousel',
      carouselContainerId: 'carousel',
      childContainerIds: ['container', 'container'],
    });
    await expect(runAgainst(instagramCarousel, account({ mediaUrls: ['x'] }), instagram())).rejects.toThrow(
      '2 to 10 images',
    );
  });

  test('fails when Instagram cannot use the media', async () => {
    await expect(
      runAgainst(instagramImage, account({ imageUrl: 'x' }), ({ path }) => ({
        body: path.endsWith('/media') ? { id: 'c' } : { status_code: 'ERROR', status: 'Too small' },
      })),
    ).rejects.toThrow('could not use the media: Too small');
  });

  test('lists posts and reads their numbers', async () => {
    const list = await runAgainst(instagramList, account({ limit: 1 }), () => ({
      body: { data: [{ id: '1' }] },
    }));
    expect(list.outputs).toEqual({ rows: [{ id: '1' }], size: 1 });
    expect(list.received[0]?.query.get('fields')).toBe(
      'id,media_type,media_url,permalink,thumbnail_url,timestamp,caption',
    );
    const insights = await runAgainst(instagramInsights, account({ mediaId: '1' }), () => ({
      body: { data: [{ name: 'saved', period: 'lifetime', values: [{ value: 4 }] }] },
    }));
    expect(insights.received[0]?.query.get('metric')).toBe('likes,comments,saved,reach');
    expect(insights.outputs).toEqual({
      mediaId: '1',
      totalInsights: 1,
      insights: [{ name: 'saved', period: 'lifetime', value: 4 }],
    });
  });
});

describe('LinkedIn', () => {
  test('exchanges a refresh token', async () => {
    const { outputs, received } = await runAgainst(
      linkedInOAuth,
      (url) => ({ clientId: 'c', clientSecret: 's', refreshToken: 'r', tokenUrl: url }),
      () => ({ body: { access_token: 'a', expires_in: 60 } }),
    );
    expect(received[0]?.body).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r',
      client_id: 'c',
      client_secret: 's',
    });
    expect(outputs).toMatchObject({ accessToken: 'a', tokenType: 'Bearer', expiresIn: 60 });
  });

  test('counts reactions by kind', async () => {
    const { outputs, received } = await runAgainst(
      linkedInAnalytics,
      (url) => ({
        accessToken: 't',
        activityUrns: ['urn:li:activity:1', 'urn:li:activity:2'],
        apiBaseUrl: url,
      }),
      ({ path }) =>
        path.includes('activity%3A1')
          ? {
              body: {
                elements: [
                  { id: '1', reactionType: 'LIKE' },
                  { id: '2', reactionType: 'LIKE' },
                ],
              },
            }
          : { status: 403, body: 'no' },
    );
    expect(received[0]?.headers['linkedin-version']).toBe('202509');
    expect(outputs).toMatchObject({
      totalPosts: 2,
      totalReactions: 2,
      posts: [{ reactionsSummary: { LIKE: 2 } }, { error: expect.stringContaining('403') }],
    });
  });

  test('starts an execution for comments that are newer than the last one', async () => {
    const comments = [{ id: '1', created: { time: 1000 }, message: { text: 'old' } }];
    const { url } = await startReceiver(() => ({ body: { elements: comments } }));
    const context = aNotifyingContext({ redirect: { from: 'https://api.linkedin.com/rest', to: url } });
    const poll = () =>
      linkedInComments.poll!(
        context,
        readInput(linkedInComments.type, linkedInComments.input, {
          accessToken: 't',
          postUrns: ['urn:li:share:1'],
        }),
      );
    expect(await poll()).toBeUndefined();
    const later = Date.now() + 1000;
    comments.push(
      { id: '3', created: { time: later + 5 }, message: { text: 'newest' } },
      { id: '2', created: { time: later }, message: { text: 'new' } },
    );
    expect(await poll()).toMatchObject({
      commentId: '3',
      commentText: 'newest',
      newCommentsCount: 2,
      allNewComments: [{ commentId: '2' }, { commentId: '3' }],
    });
    expect(await poll()).toBeUndefined();
  });
});

describe('Segment', () => {
  const sync =
    (more: Data = {}) =>
    (url: string) => ({
      token: 't',
      uri: url,
      sourceId: 's',
      modelId: 'm',
      subscriptionId: 'u',
      pollInterval: 'PT0.01S',
      ...more,
    });
  const segment = (...states: string[]) => {
    const left = [...states];
    return ({ method }: Received): Reply =>
      method === 'POST'
        ? { body: { data: { reverseETLManualSync: { syncId: 'y', startedAt: '2026-01-01T00:00:00Z' } } } }
        : {
            body: {
              data: {
                reverseEtlSyncStatus: {
                  syncId: 'y',
                  syncStatus: left.shift() ?? 'IN_PROGRESS',
                  error: 'why',
                  loadPhase: { deliverSuccessCount: 3 },
                },
              },
            },
          };
  };

  test('starts a sync and waits for its end', async () => {
    const started = await runAgainst(segmentSync, sync(), segment());
    expect(started.outputs).toEqual({
      syncId: 'y',
      created: { syncId: 'y', startedAt: '2026-01-01T00:00:00Z' },
    });
    expect(started.received[0]?.body).toEqual({ sourceId: 's', modelId: 'm', subscriptionId: 'u' });
    const { outputs } = await runAgainst(
      segmentSync,
      sync({ wait: true }),
      segment('IN_PROGRESS', 'SUCCESS'),
    );
    expect(outputs).toMatchObject({
      status: { syncStatus: 'SUCCESS', loadPhase: { deliverSuccessCount: '3' } },
    });
  });

  test('fails with a sync that fails, or that takes too long', async () => {
    await expect(
      runAgainst(segmentSync, sync({ wait: true, errorOnFailing: true }), segment('FAILED')),
    ).rejects.toThrow('ended in FAILED: why');
    await expect(
      runAgainst(segmentSync, sync({ wait: true, maxDuration: 'PT0.05S' }), segment()),
    ).rejects.toThrow('`maxDuration`');
  });

  test('reads a status', async () => {
    const { outputs, received } = await runAgainst(
      segmentStatus,
      (url) => ({ token: 't', uri: url, modelId: 'm', syncId: 'y' }),
      segment('SUCCESS'),
    );
    expect(received[0]?.path).toBe('/reverse-etl-models/m/syncs/y');
    expect(outputs).toMatchObject({ status: { syncId: 'y', syncStatus: 'SUCCESS' } });
  });
});
