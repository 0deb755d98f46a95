import { type Candidate, type JsonMap, mapIn, mapsIn, openTriggerState, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import { out, valueAt } from '../rest/outputs.ts';
import { need, preset } from '../rest/properties.ts';
import { sealedOutput } from '../rest/sealedOutput.ts';
import { defineService } from '../rest/service.ts';

const youtube = defineService({
  name: 'YouTube',
  prefix: 'youtube',
  baseUrl: 'https://www.googleapis.com/youtube/v3',
  properties: {
    accessToken: need.secret('An OAuth access token, see `youtube.OAuth2`.'),
    applicationName: preset.text('kestra-yt-plugin', 'Accepted for older flows; not used.'),
  },
  auth: ({ accessToken }) => bearer(accessToken),
  example: { accessToken: "{{ secret('YOUTUBE_TOKEN') }}" },
});

const tokens = defineService({
  name: 'The token server of Google',
  prefix: 'youtube',
  properties: {
    clientId: need.text('The id of the OAuth client.'),
    clientSecret: need.secret('The secret of the OAuth client.'),
    refreshToken: need.secret('A refresh token of the user.'),
    tokenUrl: preset.text('https://oauth2.googleapis.com/token', 'Where tokens are exchanged.'),
  },
  baseUrl: ({ tokenUrl }) => tokenUrl,
  example: {
    clientId: 'id.apps.googleusercontent.com',
    clientSecret: "{{ secret('GOOGLE_CLIENT_SECRET') }}",
    refreshToken: "{{ secret('GOOGLE_REFRESH_TOKEN') }}",
  },
});

const oauth = tokens.task({
  type: 'OAuth2',
  title: 'Get an access token for YouTube',
  description:
    'Exchanges a refresh token for an access token, which lasts about an hour. The token is masked in logs.',
  output: {
    accessToken: out.any('The access token, stored encrypted when the server has a key for it.'),
    tokenType: out.text('The type of the token.'),
    expiresIn: out.integer('How long it lasts, in seconds.'),
    scope: out.text('What it allows.'),
    expiresAt: out.text('When it expires.'),
  },
  run: async (client, { clientId, clientSecret, refreshToken, tokenUrl }, context) => {
    const form = {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    };
    const token = await client.ask({ method: 'POST', path: tokenUrl, form });
    const seconds = Number(token.expires_in ?? 0);
    return {
      accessToken: sealedOutput(context, String(token.access_token)),
      tokenType: token.token_type,
      expiresIn: seconds,
      scope: token.scope,
      expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
    };
  },
  example: {},
});

const numbers = ['viewCount', 'likeCount', 'dislikeCount', 'commentCount', 'favoriteCount'];

const stats = youtube.task({
  type: 'VideoStats',
  title: 'Get the numbers of videos of YouTube',
  description: 'Reads views, likes and comments of videos.',
  properties: {
    videoIds: need.texts('The ids of the videos.'),
    includeSnippet: preset.flag(false, 'Read title, description and channel too.'),
    includeContentDetails: preset.flag(false, 'Read duration and definition too.'),
    maxResults: preset.integer(5, 'The most videos.'),
  },
  output: {
    videos: out.maps('The videos with their numbers.'),
    totalVideos: out.integer('How many videos there are.'),
    totalViews: out.integer('The sum of the views.'),
    totalLikes: out.integer('The sum of the likes.'),
    totalComments: out.integer('The sum of the comments.'),
  },
  run: async (client, { videoIds, includeSnippet, includeContentDetails, maxResults }) => {
    const part = [
      'statistics',
      ...(includeSnippet ? ['snippet'] : []),
      ...(includeContentDetails ? ['contentDetails'] : []),
    ];
    const query = { part: part.join(','), id: videoIds.join(','), maxResults };
    const videos = mapsIn((await client.ask({ path: '/videos', query })).items).map(toVideo);
    const total = (name: string) => videos.reduce((sum, video) => sum + Number(video[name] ?? 0), 0);
    return {
      videos,
      totalVideos: videos.length,
      totalViews: total('viewCount'),
      totalLikes: total('likeCount'),
      totalComments: total('commentCount'),
    };
  },
  example: { videoIds: ['dQw4w9WgXcQ'], includeSnippet: true },
});

function toVideo(item: JsonMap): JsonMap {
  const counts = numbers.map((name): [string, unknown] => [name, mapIn(item.statistics)[name]]);
  const { title, description, channelId, channelTitle, publishedAt } = mapIn(item.snippet);
  const { duration, dimension, definition } = mapIn(item.contentDetails);
  const all: [string, unknown][] = [
    ['videoId', item.id],
    ...counts.map(([name, value]): [string, unknown] => [
      name,
      value === undefined ? undefined : Number(value),
    ]),
    ...Object.entries({
      title,
      description,
      channelId,
      channelTitle,
      publishedAt,
      duration,
      dimension,
      definition,
    }),
    ['thumbnailUrl', valueAt(item, 'snippet.thumbnails.default.url')],
  ];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

const video = youtube.trigger({
  type: 'VideoTrigger',
  title: 'Start an execution when a channel of YouTube has a new video',
  description:
    'Reads the newest videos of a channel every `interval`, and starts one execution for those that were not seen before.',
  interval: 'PT1H',
  properties: {
    channelId: need.text('The id of the channel.'),
    maxResults: preset.integer(5, 'The most videos of one poll.'),
  },
  output: {
    videoId: out.text('The id of the newest video.'),
    title: out.text('Its title.'),
    description: out.text('Its description.'),
    channelId: out.text('The id of the channel.'),
    channelTitle: out.text('The title of the channel.'),
    publishedAt: out.text('When it was published.'),
    thumbnailUrl: out.text('The address of its picture.'),
    videoUrl: out.text('The address of the video.'),
    newVideosCount: out.integer('How many videos are new.'),
    allNewVideos: out.maps('All new videos.'),
  },
  poll: async (client, { channelId, maxResults }, context) => {
    const query = { part: 'snippet', channelId, order: 'date', type: 'video', maxResults };
    const found: (Candidate & { item: JsonMap })[] = [];
    for (const { id, snippet } of mapsIn((await client.ask({ path: '/search', query })).items)) {
      const videoId = textOf(mapIn(id).videoId) ?? '';
      const { title, description, channelTitle, publishedAt, thumbnails } = mapIn(snippet);
      const item = {
        videoId,
        title,
        description,
        channelId,
        channelTitle,
        publishedAt,
        thumbnailUrl: valueAt(thumbnails, 'default.url'),
        videoUrl: `https://www.youtube.com/watch?v=${videoId}`,
      };
      found.push({ uri: videoId, version: '1', item });
    }
    const fresh = await unseen(context, found);
    const [newest] = fresh;
    return newest && { ...newest, newVideosCount: fresh.length, allNewVideos: fresh };
  },
  example: { channelId: 'UC1' },
});

type TriggerContext = Parameters<typeof openTriggerState>[0];

async function unseen(
  context: TriggerContext,
  found: readonly (Candidate & { item: JsonMap })[],
): Promise<JsonMap[]> {
  const state = await openTriggerState(context, { on: 'CREATE' });
  const changes = state.changes(found);
  await state.save();
  return changes.map(({ candidate }) => candidate.item);
}

const comments = youtube.trigger({
  type: 'CommentTrigger',
  title: 'Start an execution when videos of YouTube have new comments',
  description:
    'Reads the newest comments of videos every `interval`, and starts one execution for those that were not seen before.',
  interval: 'PT30M',
  properties: {
    videoIds: need.texts('The ids of the videos.'),
    maxResults: preset.integer(20, 'The most comments of one video and poll.'),
    order: preset.text('time', '`time` or `relevance`.'),
  },
  output: {
    videoId: out.text('The id of the video with the newest comment.'),
    commentId: out.text('The id of the comment.'),
    textDisplay: out.text('Its text.'),
    authorDisplayName: out.text('Its author.'),
    publishedAt: out.text('When it was published.'),
    newCommentsCount: out.integer('How many comments are new.'),
    allNewComments: out.maps('All new comments.'),
  },
  poll: async (client, { videoIds, maxResults, order }, context) => {
    const found: (Candidate & { item: JsonMap })[] = [];
    for (const videoId of videoIds) {
      const query = { part: 'snippet', videoId, maxResults, order };
      for (const { id, snippet } of mapsIn((await client.ask({ path: '/commentThreads', query })).items)) {
        const { textDisplay, authorDisplayName, publishedAt } = mapIn(
          mapIn(mapIn(snippet).topLevelComment).snippet,
        );
        const item = { videoId, commentId: id, textDisplay, authorDisplayName, publishedAt };
        found.push({ uri: String(id), version: '1', item });
      }
    }
    const fresh = await unseen(context, found);
    const [newest] = fresh;
    return newest && { ...newest, newCommentsCount: fresh.length, allNewComments: fresh };
  },
  example: { videoIds: ['dQw4w9WgXcQ'] },
});

export const youtubeTypes = [oauth, stats, video, comments];
