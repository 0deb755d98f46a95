import { formatDuration } from '@millrace/engine';
import {
  choice,
  dropMissing,
  flag,
  type OutboundResponse,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type AzureRequest, parseResponse, readJson, readText, sendAzure } from '../client/http.ts';
import { getToken, identityProperties, type Token } from '../client/identity.ts';
import { hmac } from '../client/sharedKey.ts';
import { readConnectionString } from '../client/storage.ts';
import { resourcePath } from '../rest/management.ts';

const levels = {
  STRONG: 'Strong',
  BOUNDED_STALENESS: 'BoundedStaleness',
  SESSION: 'Session',
  EVENTUAL: 'Eventual',
  CONSISTENT_PREFIX: 'ConsistentPrefix',
} as const;

export const cosmosProperties = {
  ...identityProperties,
  connectionString: text()
    .optional()
    .describe(
      'The connection string: `AccountEndpoint=https://…;AccountKey=…`. Without it the identity is used.',
    ),
  endpoint: text()
    .optional()
    .describe('The address of the account, such as `https://company.documents.azure.com`.'),
  databaseId: text().describe('The database.'),
  containerId: text().describe('The container.'),
  consistencyLevel: choice(['STRONG', 'BOUNDED_STALENESS', 'SESSION', 'EVENTUAL', 'CONSISTENT_PREFIX'])
    .default('SESSION')
    .describe('The consistency of queries. The account may allow only weaker levels than its own.'),
  contentResponseOnWriteEnabled: flag().default(true).describe('Return the item after it was written.'),
};

const Connection = z.object(cosmosProperties);
type CosmosInput = z.infer<typeof Connection>;
type Item = Readonly<Record<string, unknown>>;

const Container = z.looseObject({
  partitionKey: z.looseObject({ paths: z.array(z.string()).default([]) }).default({ paths: [] }),
});
const Page = z.looseObject({ Documents: z.array(z.record(z.string(), z.unknown())).default([]) });

/** The version that knows hierarchical partition keys. */
const version = '2020-07-15';

/** Items of one container, over the REST API. */
export class Cosmos {
  readonly #context: TaskContext;
  readonly #input: CosmosInput;
  readonly #base: string;
  readonly #key: string | undefined;
  #token: Token | undefined;
  #paths: readonly string[] | undefined;

  constructor(context: TaskContext, input: CosmosInput) {
    const settings = readConnectionString(input.connectionString ?? '');
    const base = input.endpoint ?? settings.AccountEndpoint;
    if (!base || !URL.canParse(base))
      throw new TaskFailed('"endpoint" or "connectionString" must name the Cosmos DB account.', {
        retry: false,
      });
    if (settings.AccountKey) context.masker.add(settings.AccountKey);
    this.#context = context;
    this.#input = input;
    this.#base = base.replace(/\/+$/, '');
    this.#key = settings.AccountKey;
  }

  /** The values of the partition key of an item, by the definition of the container or the given paths. */
  async keyOf(item: Item, given?: readonly string[]): Promise<readonly unknown[]> {
    if (given) return valuesAt(item, given);
    this.#paths ??= (
      await readJson(
        await this.#send('colls', [], {
          action: `the container "${this.#input.containerId}"`,
          method: 'GET',
        }),
        Container,
      )
    ).partitionKey.paths;
    return valuesAt(item, this.#paths);
  }

  async create(item: Item) {
    const started = Date.now();
    const key = await this.keyOf(item);
    const response = await this.#send('docs', ['docs'], {
      action: `item ${JSON.stringify(item.id)}`,
      method: 'POST',
      headers: { ...keyHeader(key), ...this.#preference(), 'content-type': 'application/json' },
      body: JSON.stringify(item),
      once: true,
    });
    return itemOutput(response, await readText(response), Date.now() - started);
  }

  async delete(item: Item) {
    const { id } = item;
    if (typeof id !== 'string' || id === '')
      throw new TaskFailed('"item" must have the "id" of the item and its partition key.', { retry: false });
    const started = Date.now();
    const key = await this.keyOf(item);
    const headers = keyHeader(key);
    const response = await this.#send('docs', ['docs', id], {
      action: `the deletion of item "${id}"`,
      method: 'DELETE',
      headers,
    });
    return itemOutput(response, await readText(response), Date.now() - started);
  }

  /** All results of a query, page by page. */
  async *query(query: string, key: readonly unknown[] | undefined): AsyncGenerator<Record<string, unknown>> {
    for (let continuation: string | undefined; ; ) {
      const response = await this.#send('docs', ['docs'], {
        action: 'the query',
        method: 'POST',
        headers: {
          ...(key ? keyHeader(key) : { 'x-ms-documentdb-query-enablecrosspartition': 'True' }),
          'content-type': 'application/query+json',
          'x-ms-documentdb-isquery': 'True',
          'x-ms-max-item-count': '1000',
          'x-ms-consistency-level': levels[this.#input.consistencyLevel],
          'x-ms-continuation': continuation,
        },
        body: JSON.stringify({ query, parameters: [] }),
      });
      continuation = response.headers['x-ms-continuation']?.[0] || undefined;
      yield* (await readJson(response, Page)).Documents;
      if (continuation === undefined) return;
    }
  }

  /** Creates all items of one partition, or none of them. */
  async batch(items: readonly Item[], partitionKeyValue: string) {
    const started = Date.now();
    const response = await this.#send('docs', ['docs'], {
      action: `a batch of ${items.length} items`,
      method: 'POST',
      headers: {
        ...keyHeader([partitionKeyValue]),
        ...this.#preference(),
        'content-type': 'application/json',
        'x-ms-cosmos-is-batch-request': 'True',
        'x-ms-cosmos-batch-atomic': 'True',
        'x-ms-cosmos-batch-ordered': 'True',
      },
      body: JSON.stringify(items.map((resourceBody) => ({ operationType: 'Create', resourceBody }))),
      once: true,
    });
    const body = await readText(response);
    return { response, body, durationMs: Date.now() - started };
  }

  #preference(): Readonly<Record<string, string>> {
    return this.#input.contentResponseOnWriteEnabled ? {} : { prefer: 'return=minimal' };
  }

  #send(
    type: string,
    names: readonly string[],
    request: Omit<AzureRequest, 'url'>,
  ): Promise<OutboundResponse> {
    const { databaseId, containerId } = this.#input;
    const all = ['dbs', databaseId, 'colls', containerId, ...names];
    // The signature names a resource; a list of documents belongs to its container.
    const link = (all.length % 2 === 0 ? all : all.slice(0, -1)).join('/');
    return sendAzure(
      this.#context,
      'Cosmos DB',
      async ({ method }, headers) => {
        const date = new Date().toUTCString();
        const authorization = encodeURIComponent(await this.#authorization(method, type, link, date));
        const more = { 'x-ms-date': date, 'x-ms-version': version, accept: 'application/json' };
        return { headers: { ...headers, ...more, authorization } };
      },
      { ...request, url: `${this.#base}${resourcePath(...all)}` },
    );
  }

  async #authorization(method: string, type: string, link: string, date: string): Promise<string> {
    if (this.#key !== undefined) {
      const signed = `${method.toLowerCase()}\n${type}\n${link}\n${date.toLowerCase()}\n\n`;
      return `type=master&ver=1.0&sig=${hmac(this.#key, signed)}`;
    }
    if (!this.#token || Date.now() > this.#token.expiresAt - 60_000) {
      const { protocol, hostname } = new URL(this.#base);
      this.#token = await getToken(this.#context, this.#input, `${protocol}//${hostname}/.default`);
    }
    return `type=aad&ver=1.0&sig=${this.#token.value}`;
  }
}

/** A header may hold only ASCII characters. */
const keyHeader = (values: readonly unknown[]): Readonly<Record<string, string>> => ({
  'x-ms-documentdb-partitionkey': JSON.stringify(values).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
});

/** An item without a value for a path belongs to the partition of undefined, which the protocol writes as {}. */
const valuesAt = (item: Item, paths: readonly string[]): readonly unknown[] =>
  paths.map((path) => {
    let value: unknown = item;
    for (const step of path.split('/').filter((each) => each !== ''))
      value = (value as Item | null | undefined)?.[step.replace(/^"|"$/g, '')]; // `as`: a missing step gives undefined
    return value === undefined ? {} : value;
  });

export function responseFacts({ status, headers }: OutboundResponse, durationMs: number) {
  const header = (name: string) => headers[name]?.[0];
  return {
    statusCode: status,
    requestCharge: Number(header('x-ms-request-charge') ?? 0),
    duration: formatDuration(durationMs),
    responseHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, values]) => [name, values.join(', ')]),
    ),
    ...dropMissing({ activityId: header('x-ms-activity-id'), sessionToken: header('x-ms-session-token') }),
  };
}

function itemOutput(response: OutboundResponse, body: string, durationMs: number) {
  const header = (name: string) => response.headers[name]?.[0];
  return {
    ...responseFacts(response, durationMs),
    ...dropMissing({
      item:
        body.trim() === '' ? undefined : parseResponse(body, z.record(z.string(), z.unknown()), response.url),
      maxResourceQuota: header('x-ms-resource-quota'),
      currentResourceQuotaUsage: header('x-ms-resource-usage'),
      eTag: header('etag')?.replaceAll('"', ''),
    }),
  };
}
