import { expect, test } from 'vitest';
import { lokiTypes } from '../grafana/loki.ts';
import { hexTypes } from '../hex/hex.ts';
import { powerbiTypes } from '../powerbi/powerbi.ts';
import { siffletTypes } from '../sifflet/sifflet.ts';
import {
  aServiceContext,
  type Exchange,
  exampleOf,
  expectExchanges,
  startServices,
  testCalls,
} from '../testing/exchange.ts';
import { todoistTypes } from '../todoist/todoist.ts';
import { youtubeTypes } from '../youtube/youtube.ts';
import { trelloTypes } from './trello.ts';

startServices();

/** Polls a trigger several times with the properties of its example. */
function poller(type: (typeof trelloTypes)[number] | undefined) {
  if (type?.kind !== 'trigger') throw new Error('No trigger');
  const context = aServiceContext();
  return async (...exchanges: Exchange[]) => {
    const { received } = expectExchanges(exchanges);
    const outputs = await type.poll?.(context, type.input.parse(exampleOf(type)));
    return { outputs, asks: received.map(({ asks }) => asks) };
  };
}

const trello = 'https://api.trello.com/1';

testCalls(trelloTypes, {
  headers: { authorization: 'OAuth oauth_consumer_key="TRELLO_KEY", oauth_token="TRELLO_TOKEN"' },
  cases: [
    {
      type: 'trello.cards.Create',
      exchanges: [
        {
          asks: `POST ${trello}/cards`,
          sends: { name: 'The nightly load failed', idList: 'list1', pos: 'top' },
          replies: { id: 'card1', url: 'https://trello.com/c/1', shortUrl: 'https://trello.com/1' },
        },
      ],
      gives: { cardId: 'card1', url: 'https://trello.com/c/1', shortUrl: 'https://trello.com/1' },
    },
    {
      type: 'trello.cards.Comment',
      exchanges: [
        {
          asks: `POST ${trello}/cards/card1/actions/comments`,
          sends: { text: 'The load runs again.' },
          replies: { id: 'x' },
        },
      ],
      gives: { commentId: 'x' },
    },
    {
      type: 'trello.cards.Move',
      exchanges: [{ asks: `PUT ${trello}/cards/card1`, sends: { idList: 'list2' }, replies: {} }],
    },
    {
      type: 'trello.cards.Move',
      when: 'with a wrong key',
      exchanges: [
        {
          asks: `PUT ${trello}/cards/card1`,
          sends: { idList: 'list2' },
          status: 401,
          replies: 'invalid key',
        },
      ],
      fails: 'invalid key Check the credentials',
    },
    {
      type: 'trello.cards.Update',
      exchanges: [{ asks: `PUT ${trello}/cards/card1`, sends: { closed: true }, replies: {} }],
    },
  ],
});

test('trello.cards.Trigger starts for new and changed cards', async () => {
  const poll = poller(trelloTypes.at(-1));
  const cards = (time: string) => ({ asks: '', replies: [{ id: 'c1', name: 'A', dateLastActivity: time }] });
  const first = await poll(cards('1'));
  expect(first.asks).toEqual([`GET ${trello}/boards/board1/cards`]);
  expect(first.outputs).toMatchObject({ count: 1, cards: [{ cardId: 'c1', action: 'CREATE' }] });
  expect((await poll(cards('1'))).outputs).toBeUndefined();
  expect((await poll(cards('2'))).outputs).toMatchObject({ cards: [{ cardId: 'c1', action: 'UPDATE' }] });
});

const todoist = 'https://api.todoist.com/api/v1';

testCalls(todoistTypes, {
  headers: { authorization: 'Bearer TODOIST_TOKEN' },
  cases: [
    {
      type: 'todoist.CreateTask',
      exchanges: [
        {
          asks: `POST ${todoist}/tasks`,
          sends: { content: 'Look at the nightly load', priority: 4, due_string: 'tomorrow at 9' },
          replies: { id: 't1' },
        },
      ],
      gives: { taskId: 't1' },
    },
    {
      type: 'todoist.UpdateTask',
      exchanges: [{ asks: `POST ${todoist}/tasks/t1`, sends: { priority: 1 }, replies: { id: 't1' } }],
      gives: { taskId: 't1' },
    },
    { type: 'todoist.CompleteTask', exchanges: [{ asks: `POST ${todoist}/tasks/t1/close`, status: 204 }] },
    { type: 'todoist.DeleteTask', exchanges: [{ asks: `DELETE ${todoist}/tasks/t1`, status: 204 }] },
    {
      type: 'todoist.GetTask',
      exchanges: [{ asks: `GET ${todoist}/tasks/t1`, replies: { id: 't1' } }],
      gives: { task: { id: 't1' } },
    },
    {
      type: 'todoist.ListTasks',
      exchanges: [
        {
          asks: `GET ${todoist}/tasks/filter?query=today%20%7C%20overdue`,
          replies: { results: [{ id: 't1' }], next_cursor: 'c' },
        },
        {
          asks: `GET ${todoist}/tasks/filter?query=today%20%7C%20overdue&cursor=c`,
          replies: { results: [{ id: 't2' }], next_cursor: null },
        },
      ],
      gives: { rows: [{ id: 't1' }, { id: 't2' }], size: 2 },
    },
  ],
});

const youtube = 'https://www.googleapis.com/youtube/v3';

testCalls(youtubeTypes, {
  headers: {},
  cases: [
    {
      type: 'youtube.OAuth2',
      exchanges: [
        {
          asks: 'POST https://oauth2.googleapis.com/token',
          sends: {
            grant_type: 'refresh_token',
            client_id: 'id.apps.googleusercontent.com',
            client_secret: 'GOOGLE_CLIENT_SECRET',
            refresh_token: 'GOOGLE_REFRESH_TOKEN',
          },
          replies: { access_token: 'ya29', token_type: 'Bearer', expires_in: 3599, scope: 'youtube' },
        },
      ],
      gives: {
        accessToken: { type: expect.any(String), value: expect.any(String) },
        tokenType: 'Bearer',
        expiresIn: 3599,
        scope: 'youtube',
        expiresAt: expect.any(String),
      },
    },
    {
      type: 'youtube.VideoStats',
      exchanges: [
        {
          asks: `GET ${youtube}/videos?part=statistics%2Csnippet&id=dQw4w9WgXcQ&maxResults=5`,
          headers: { authorization: 'Bearer YOUTUBE_TOKEN' },
          replies: {
            items: [
              { id: 'dQw4w9WgXcQ', statistics: { viewCount: '10', likeCount: '2' }, snippet: { title: 'A' } },
            ],
          },
        },
      ],
      gives: {
        videos: [{ videoId: 'dQw4w9WgXcQ', viewCount: 10, likeCount: 2, title: 'A' }],
        totalVideos: 1,
        totalViews: 10,
        totalLikes: 2,
        totalComments: 0,
      },
    },
  ],
});

test('the triggers of YouTube start for what was not seen before', async () => {
  const videos = poller(youtubeTypes.find(({ type }) => type === 'youtube.VideoTrigger'));
  const items = { asks: '', replies: { items: [{ id: { videoId: 'v1' }, snippet: { title: 'A' } }] } };
  expect((await videos(items)).outputs).toMatchObject({ videoId: 'v1', title: 'A', newVideosCount: 1 });
  expect((await videos(items)).outputs).toBeUndefined();
  const comments = poller(youtubeTypes.find(({ type }) => type === 'youtube.CommentTrigger'));
  const thread = { id: 'c1', snippet: { topLevelComment: { snippet: { textDisplay: 'Nice' } } } };
  const found = { asks: '', replies: { items: [thread] } };
  expect((await comments(found)).outputs).toMatchObject({
    commentId: 'c1',
    textDisplay: 'Nice',
    newCommentsCount: 1,
  });
  expect((await comments(found)).outputs).toBeUndefined();
});

const loki = 'https://loki.example.com/loki/api/v1';
const query = 'query=%7Bapp%3D%22shop%22%7D%20%7C%3D%20%22error%22';
const streams = {
  data: {
    resultType: 'streams',
    result: [{ stream: { app: 'shop' }, values: [['1700000000000000001', 'oops']] }],
  },
};
const line = { timestamp: '1700000000000000001', line: 'oops', labels: { app: 'shop' } };

testCalls(lokiTypes, {
  headers: { authorization: 'Bearer LOKI_TOKEN' },
  cases: [
    {
      type: 'grafana.loki.Query',
      with: { tenantId: 't1' },
      exchanges: [
        {
          asks: `GET ${loki}/query?${query}&limit=100&direction=backward`,
          headers: { 'x-scope-orgid': 't1' },
          replies: { data: { resultType: 'vector', result: [{ metric: { app: 'shop' }, value: [1, '5'] }] } },
        },
      ],
      gives: { logs: [{ timestamp: '1', value: '5', labels: { app: 'shop' } }], resultType: 'vector' },
      metrics: { records: 1 },
    },
    {
      type: 'grafana.loki.QueryRange',
      exchanges: [
        { asks: `GET ${loki}/query_range?${query}&limit=500&direction=backward&since=1h`, replies: streams },
      ],
      gives: { logs: [line], resultType: 'streams' },
    },
  ],
});

test('grafana.loki.Trigger continues after the last line', async () => {
  const poll = poller(lokiTypes.at(-1));
  const first = await poll({ asks: '', replies: streams });
  expect(first.asks).toEqual([`GET ${loki}/query_range?${query}&limit=100&direction=forward&since=10m`]);
  expect(first.outputs).toMatchObject({ logs: [line], count: 1, lastTimestamp: '1700000000000000001' });
  const second = await poll({ asks: '', replies: { data: { resultType: 'streams', result: [] } } });
  expect(second.asks[0]).toContain('start=1700000000000000002');
  expect(second.outputs).toBeUndefined();
});

const refreshes = 'https://api.powerbi.com/v1.0/myorg/groups/g1/datasets/d1/refreshes';
const refreshed = (status: string) => ({
  asks: `GET ${refreshes}`,
  replies: {
    value: [{ requestId: 'r1', status, refreshType: 'ViaApi', serviceExceptionJson: '{"errorCode":"x"}' }],
  },
});
const refreshing = {
  asks: `POST ${refreshes}`,
  sends: { notifyOption: 'NoNotification' },
  status: 202,
  replyHeaders: { 'x-ms-request-id': 'r1' },
};

testCalls(powerbiTypes, {
  headers: { authorization: 'Bearer token1' },
  login: {
    asks: 'POST https://login.microsoftonline.com/AZURE_TENANT_ID/oauth2/v2.0/token',
    sends: {
      grant_type: 'client_credentials',
      client_id: 'AZURE_CLIENT_ID',
      client_secret: 'AZURE_CLIENT_SECRET',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    },
    replies: { access_token: 'token1', expires_in: 3600 },
  },
  cases: [
    {
      type: 'powerbi.RefreshGroupDataset',
      with: { pollDuration: 'PT0.01S' },
      exchanges: [refreshing, refreshed('Unknown'), refreshed('Completed')],
      gives: { requestId: 'r1', status: 'Completed', refreshType: 'ViaApi' },
    },
    {
      type: 'powerbi.RefreshGroupDataset',
      when: 'that fails',
      exchanges: [refreshing, refreshed('Failed')],
      fails: 'The refresh r1 ended as Failed: {"errorCode":"x"}',
    },
  ],
});

const runs = 'https://app.hex.tech/api/v1/projects/p1/runs';

testCalls(hexTypes, {
  headers: { authorization: 'Bearer HEX_TOKEN' },
  cases: [
    {
      type: 'hex.projects.Run',
      exchanges: [
        {
          asks: `POST ${runs}`,
          sends: { inputParams: { day: '2026-01-31' } },
          status: 201,
          replies: { runId: 'r1', runUrl: 'https://app.hex.tech/r1', traceId: 't' },
        },
        { asks: `GET ${runs}/r1`, replies: { runId: 'r1', status: 'COMPLETED', elapsedTime: 1500 } },
      ],
      gives: {
        runId: 'r1',
        runUrl: 'https://app.hex.tech/r1',
        traceId: 't',
        status: 'COMPLETED',
        elapsedTime: 1.5,
      },
    },
  ],
});

test('hex.projects.Trigger starts for runs that ended after the first poll', async () => {
  const poll = poller(hexTypes.at(-1));
  const last = (runId: string, status: string) => ({ asks: '', replies: { runs: [{ runId, status }] } });
  expect((await poll(last('r1', 'COMPLETED'))).outputs).toBeUndefined();
  expect((await poll(last('r2', 'RUNNING'))).outputs).toBeUndefined();
  expect((await poll(last('r2', 'ERRORED'))).outputs).toMatchObject({ runId: 'r2', status: 'ERRORED' });
});

testCalls(siffletTypes, {
  headers: { authorization: 'Bearer SIFFLET_TOKEN' },
  cases: [
    {
      type: 'sifflet.RunRule',
      exchanges: [
        { asks: 'POST https://acme.siffletdata.com/api/v1/rules/r1/_run', replies: { status: 'PENDING' } },
      ],
      gives: { ruleId: 'r1', status: 'PENDING', statusCode: 200, response: '{"status":"PENDING"}' },
    },
  ],
});
