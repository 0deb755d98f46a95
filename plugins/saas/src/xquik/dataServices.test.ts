import { adanosTypes } from '../adanos/adanos.ts';
import { startServices, testCalls } from '../testing/exchange.ts';
import { timefoldTypes } from '../timefold/timefold.ts';
import { xquikTypes } from './xquik.ts';

startServices();

const x = 'https://xquik.com/api/v1/x';
const page = { tweets: [{ id: '1' }, { id: '2' }], next_cursor: 'c2', has_next_page: true };

testCalls(xquikTypes, {
  headers: { 'x-api-key': 'XQUIK_API_KEY' },
  cases: [
    {
      type: 'xquik.trends.List',
      exchanges: [{ asks: `GET ${x}/trends?woeid=23424829&count=30`, replies: { trends: [{ name: 'a' }] } }],
      gives: { size: 1, body: { trends: [{ name: 'a' }] } },
    },
    {
      type: 'xquik.tweets.Get',
      exchanges: [{ asks: `GET ${x}/tweets/1893456789012345678`, replies: { id: '1' } }],
      gives: { size: 1, body: { id: '1' } },
    },
    {
      type: 'xquik.tweets.Search',
      with: { fetchType: 'FETCH_ONE' },
      exchanges: [
        { asks: `GET ${x}/tweets/search?q=millrace%20workflow&queryType=Latest&limit=10`, replies: page },
      ],
      gives: { size: 1, body: { id: '1' }, nextCursor: 'c2', hasNextPage: true },
    },
    {
      type: 'xquik.users.Get',
      with: { fetchType: 'NONE' },
      exchanges: [{ asks: `GET ${x}/users/ada`, replies: { id: '7' } }],
      gives: { size: 1 },
    },
    {
      type: 'xquik.users.Search',
      exchanges: [{ asks: `GET ${x}/users/search?q=data%20engineering`, replies: [] }],
      gives: { size: 0, body: [] },
    },
    {
      type: 'xquik.users.Tweets',
      with: { fetchType: 'STORE', cursor: 'c1' },
      exchanges: [
        {
          asks: `GET ${x}/users/ada/tweets?cursor=c1&includeReplies=false&includeParentTweet=false`,
          replies: page,
        },
      ],
      gives: { size: 2, nextCursor: 'c2', hasNextPage: true },
      stores: { uri: '{"id":"1"}\n{"id":"2"}\n' },
    },
  ],
});

const adanos = 'https://api.adanos.org';

testCalls(adanosTypes, {
  headers: { 'x-api-key': 'ADANOS_API_KEY' },
  cases: [
    {
      type: 'adanos.CompareAssets',
      exchanges: [
        {
          asks: `GET ${adanos}/reddit/stocks/v1/compare?tickers=AAPL%2CMSFT`,
          replies: { stocks: [{ ticker: 'AAPL' }] },
        },
      ],
      gives: { size: 1, body: { stocks: [{ ticker: 'AAPL' }] } },
    },
    {
      type: 'adanos.GetAssetSentiment',
      with: { source: 'NEWS', from: '2026-01-01' },
      exchanges: [
        { asks: `GET ${adanos}/news/stocks/v1/stock/AAPL?from=2026-01-01`, replies: { ticker: 'AAPL' } },
      ],
      gives: { size: 1, body: { ticker: 'AAPL' } },
    },
    {
      type: 'adanos.GetMarketSentiment',
      with: { assetType: 'CRYPTO' },
      exchanges: [{ asks: `GET ${adanos}/reddit/crypto/v1/market-sentiment`, replies: { buzz_score: 50 } }],
      gives: { size: 1, body: { buzz_score: 50 } },
    },
    {
      type: 'adanos.GetMarketSentiment',
      when: 'of crypto assets outside of Reddit',
      with: { assetType: 'CRYPTO', source: 'X' },
      exchanges: [],
      fails: '"source: X" has no crypto assets',
    },
    {
      type: 'adanos.ListTrendingAssets',
      exchanges: [
        {
          asks: `GET ${adanos}/reddit/stocks/v1/trending?limit=5&offset=0&type=all`,
          replies: [{ ticker: 'T' }],
        },
      ],
      gives: { size: 1, body: [{ ticker: 'T' }] },
    },
  ],
});

const schedules = 'https://app.timefold.ai/api/models/employee-scheduling/v1/schedules';
const metadata = { id: 'd1', solverStatus: 'SOLVING_COMPLETED', score: '0hard/-5soft' };

testCalls(timefoldTypes, {
  headers: { 'x-api-key': 'TIMEFOLD_API_KEY' },
  cases: [
    {
      type: 'timefold.GetDataset',
      exchanges: [{ asks: `GET ${schedules}/d1`, replies: { metadata, modelOutput: { shifts: [1] } } }],
      gives: { jobId: 'd1', solverStatus: 'SOLVING_COMPLETED', score: '0hard/-5soft' },
      stores: { uri: '{"shifts":[1]}' },
    },
    {
      type: 'timefold.Solve',
      with: { solveDuration: 'PT30S', pollInterval: 'PT0.01S' },
      exchanges: [
        {
          asks: `POST ${schedules}`,
          sends: {
            config: { run: { termination: { spentLimit: 'PT30S' } } },
            modelInput: { employees: [], shifts: [] },
          },
          replies: { metadata: { ...metadata, solverStatus: 'SOLVING_SCHEDULED' } },
        },
        {
          asks: `GET ${schedules}/d1`,
          replies: { metadata: { ...metadata, solverStatus: 'SOLVING_ACTIVE' } },
        },
        { asks: `GET ${schedules}/d1`, replies: { metadata, modelOutput: { shifts: [] } } },
      ],
      gives: {
        jobId: 'd1',
        solverStatus: 'SOLVING_COMPLETED',
        score: '0hard/-5soft',
        modelOutput: { shifts: [] },
      },
      metrics: { solved: 1 },
    },
  ],
});
