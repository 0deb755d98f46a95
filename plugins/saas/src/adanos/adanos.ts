import type { FetchType, JsonMap, TaskContext } from '@millrace/plugin-kit';
import { TaskFailed } from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { bodyFetchType, bodyOutput, keepBody } from '../rest/keepBody.ts';
import { may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const adanos = defineService({
  name: 'Adanos',
  prefix: 'adanos',
  properties: {
    apiKey: need.secret('An API key.'),
    baseUrl: preset.text('https://api.adanos.org', 'The address of the API.'),
    assetType: preset.choice(['STOCK', 'CRYPTO'], 'STOCK', 'The kind of assets. Only Reddit has `CRYPTO`.'),
    source: preset.choice(['REDDIT', 'X', 'NEWS', 'POLYMARKET'], 'REDDIT', 'Where the opinions come from.'),
    from: may.text('The first day, as `2026-01-31`.'),
    to: may.text('The last day.'),
    fetchType: bodyFetchType,
    ...requestOptions,
  },
  baseUrl: ({ baseUrl }) => baseUrl,
  auth: ({ apiKey }) => ({ headers: { 'x-api-key': apiKey } }),
  example: { apiKey: "{{ secret('ADANOS_API_KEY') }}" },
});

interface Input {
  readonly assetType: 'STOCK' | 'CRYPTO';
  readonly source: 'REDDIT' | 'X' | 'NEWS' | 'POLYMARKET';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly fetchType: FetchType;
}

async function read(
  client: RestClient,
  context: TaskContext,
  input: Input,
  { path, query }: { readonly path: string; readonly query?: JsonMap },
): Promise<JsonMap> {
  const { assetType, source, from, to, fetchType } = input;
  if (assetType === 'CRYPTO' && source !== 'REDDIT')
    throw new TaskFailed(`"source: ${source}" has no crypto assets: use REDDIT.`, { retry: false });
  const base = `/${source.toLowerCase()}/${assetType === 'STOCK' ? 'stocks' : 'crypto'}/v1`;
  const { body } = await client.send({ path: `${base}${path}`, query: { from, to, ...query } });
  return keepBody(context, fetchType, body);
}

export const adanosTypes = [
  adanos.task({
    type: 'CompareAssets',
    title: 'Compare the sentiment of assets with Adanos',
    description: 'Compares what people say about several assets.',
    properties: { symbols: need.texts('The symbols, up to 10.') },
    output: bodyOutput,
    run: (client, input, context) => {
      const symbols = input.symbols.join(',');
      const query = input.assetType === 'STOCK' ? { tickers: symbols } : { symbols };
      return read(client, context, input, { path: '/compare', query });
    },
    example: { symbols: ['AAPL', 'MSFT'] },
  }),
  adanos.task({
    type: 'GetAssetSentiment',
    title: 'Get the sentiment of an asset with Adanos',
    description: 'Reads what people say about one asset.',
    properties: { symbol: need.text('The symbol.') },
    output: bodyOutput,
    run: (client, input, context) => {
      const kind = input.assetType === 'STOCK' ? 'stock' : 'token';
      return read(client, context, input, { path: `/${kind}/${encodeURIComponent(input.symbol)}` });
    },
    example: { symbol: 'AAPL' },
  }),
  adanos.task({
    type: 'GetMarketSentiment',
    title: 'Get the sentiment of the market with Adanos',
    description: 'Reads the sentiment of the whole market.',
    output: bodyOutput,
    run: (client, input, context) => read(client, context, input, { path: '/market-sentiment' }),
    example: {},
  }),
  adanos.task({
    type: 'ListTrendingAssets',
    title: 'List trending assets with Adanos',
    description: 'Lists the assets that people talk about most.',
    properties: {
      limit: preset.integer(20, 'How many assets are returned.'),
      offset: preset.integer(0, 'How many assets are skipped.'),
      stockAssetType: preset.choice(['STOCK', 'ETF', 'ALL'], 'ALL', 'The kind of stocks.'),
    },
    output: bodyOutput,
    run: (client, input, context) => {
      const { limit, offset, stockAssetType, assetType } = input;
      const type = assetType === 'STOCK' ? { type: stockAssetType.toLowerCase() } : {};
      return read(client, context, input, { path: '/trending', query: { limit, offset, ...type } });
    },
    example: { limit: 5 },
  }),
];
