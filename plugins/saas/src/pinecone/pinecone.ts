import {
  batchesOf,
  fetchRows,
  type JsonMap,
  mapIn,
  mapsIn,
  readMessages,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import type { RestClient } from '../rest/client.ts';
import { out } from '../rest/outputs.ts';
import { may, need, preset } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const apiVersion = '2025-01';

const pinecone = defineService({
  name: 'Pinecone',
  prefix: 'pinecone',
  properties: {
    apiKey: need.secret('An API key.'),
    indexName: need.text('The name of the index.'),
    host: may.text('The host of the index; it is looked up by the name when absent.'),
    tlsEnabled: preset.flag(true, 'Encrypt the connection to `host`.'),
  },
  baseUrl: ({ host, tlsEnabled }) =>
    host === undefined ? 'https://api.pinecone.io' : indexUrl(host, tlsEnabled),
  auth: ({ apiKey }) => ({ headers: { 'api-key': apiKey, 'x-pinecone-api-version': apiVersion } }),
  example: { apiKey: "{{ secret('PINECONE_API_KEY') }}", indexName: 'products' },
});

const indexUrl = (host: string, tls: boolean): string =>
  `${tls ? 'https' : 'http'}://${host.replace(/^https?:\/\//, '').replace(/\/+$/, '')}`;

interface Index {
  readonly apiKey: string;
  readonly indexName: string;
  readonly host?: string | undefined;
}

/** Sends a request to the host of the index, which the control plane names unless the flow does. */
async function ask(
  client: RestClient,
  { indexName, host, apiKey }: Index,
  request: {
    readonly method?: 'GET' | 'POST';
    readonly path: string;
    readonly body?: JsonMap;
    readonly query?: JsonMap;
  },
): Promise<JsonMap> {
  if (host !== undefined) return client.ask(request);
  const found = textOf((await client.ask({ path: `/indexes/${encodeURIComponent(indexName)}` })).host);
  if (found === undefined) throw new TaskFailed(`Pinecone names no host for the index "${indexName}".`);
  return client.ask({
    ...request,
    path: `${indexUrl(found, true)}${request.path}`,
    // The client sends the login only to the host of the service.
    headers: { 'api-key': apiKey, 'x-pinecone-api-version': apiVersion },
  });
}

const namespace = { namespace: may.text('The namespace of the index.') };

const createIndex = pinecone.task({
  type: 'CreateIndex',
  title: 'Create an index in Pinecone',
  description: 'Creates a serverless index. The task does not wait until it is ready.',
  properties: {
    dimension: need.integer('The number of values of a vector.'),
    metric: preset.choice(['COSINE', 'EUCLIDEAN', 'DOTPRODUCT'], 'COSINE', 'How vectors are compared.'),
    cloud: need.text('The cloud, such as `aws`.'),
    region: need.text('The region, such as `us-east-1`.'),
    deletionProtection: preset.text('disabled', '`enabled` refuses to delete the index.'),
  },
  request: 'POST /indexes',
  body: ({ indexName, dimension, metric, cloud, region, deletionProtection }) => ({
    name: indexName,
    dimension,
    metric: metric.toLowerCase(),
    spec: { serverless: { cloud, region } },
    deletion_protection: deletionProtection,
  }),
  output: {
    name: out.text('The name of the index.'),
    host: out.text('The host of the index.'),
    status: out.text('The state of the index.', 'status.state'),
  },
  example: { dimension: 1536, cloud: 'aws', region: 'us-east-1' },
});

const deleteIndex = pinecone.task({
  type: 'DeleteIndex',
  title: 'Delete an index of Pinecone',
  description: 'Deletes an index with all its vectors.',
  request: 'DELETE /indexes/{indexName}',
  example: {},
});

const describeStats = pinecone.task({
  type: 'DescribeIndexStats',
  title: 'Count the vectors of a Pinecone index',
  description: 'Reads how many vectors an index and its namespaces have.',
  output: {
    totalVectorCount: out.integer('How many vectors there are.'),
    namespaceCounts: out.map('The number of vectors by namespace.'),
  },
  run: async (client, input) => {
    const stats = await ask(client, input, { method: 'POST', path: '/describe_index_stats', body: {} });
    const namespaces = Object.entries(mapIn(stats.namespaces));
    return {
      totalVectorCount: stats.totalVectorCount,
      namespaceCounts: Object.fromEntries(
        namespaces.map(([name, one]) => [name, Number(mapIn(one).vectorCount ?? 0)]),
      ),
    };
  },
  example: {},
});

const fetchVectors = pinecone.task({
  type: 'FetchVectors',
  title: 'Fetch vectors from Pinecone',
  description: 'Reads vectors by their ids.',
  properties: { ...namespace, ids: need.texts('The ids of the vectors.') },
  output: { vectors: out.map('The vectors, by their ids.') },
  run: async (client, input) => {
    const query = { ids: input.ids, namespace: input.namespace };
    const { vectors } = await ask(client, input, { path: '/vectors/fetch', query });
    return { vectors: mapIn(vectors) };
  },
  example: { ids: ['1', '2'] },
});

const deleteVectors = pinecone.task({
  type: 'DeleteVectors',
  title: 'Delete vectors from Pinecone',
  description: 'Deletes vectors by their ids, or all vectors of a namespace.',
  properties: {
    ...namespace,
    ids: may.texts('The ids of the vectors.'),
    deleteAll: may.flag('Delete all vectors of the namespace.'),
  },
  run: async (client, input) => {
    const { ids, deleteAll } = input;
    if ((ids === undefined || ids.length === 0) && !deleteAll)
      throw new TaskFailed('One of "ids" and "deleteAll" must be given.', { retry: false });
    const body = { ...(deleteAll ? { deleteAll } : { ids }), namespace: input.namespace };
    await ask(client, input, { method: 'POST', path: '/vectors/delete', body });
    return {};
  },
  example: { ids: ['1'] },
});

const query = pinecone.task({
  type: 'Query',
  title: 'Find similar vectors in Pinecone',
  description: 'Finds the vectors that are most similar to a given vector, or to one of the index.',
  properties: {
    ...namespace,
    topK: need.integer('How many vectors are returned.'),
    vector: may.list('The vector to compare with.'),
    vectorId: may.text('The id of the vector to compare with.'),
    filter: may.map('Conditions on the metadata.'),
    includeValues: preset.flag(false, 'Return the values of the vectors.'),
    includeMetadata: preset.flag(false, 'Return the metadata of the vectors.'),
    fetchType: preset.choice(
      ['FETCH', 'FETCH_ONE', 'STORE'],
      'FETCH',
      'How to return the matches: all in the outputs, the best one, or a file.',
    ),
  },
  output: {
    size: out.integer('How many matches there are.'),
    rows: out.maps('The matches with `id` and `score`, with `FETCH`.'),
    row: out.map('The best match, with `FETCH_ONE`.'),
    uri: out.text('The file with a match per line, with `STORE`.'),
  },
  run: async (client, input, context) => {
    const { topK, vector, vectorId, filter, includeValues, includeMetadata, fetchType } = input;
    if ((vector === undefined) === (vectorId === undefined))
      throw new TaskFailed('Exactly one of "vector" and "vectorId" must be given.', { retry: false });
    const body = {
      topK,
      ...(vector === undefined ? { id: vectorId } : { vector: vector.map(Number) }),
      ...(filter && { filter }),
      includeValues,
      includeMetadata,
      namespace: input.namespace,
    };
    const { matches } = await ask(client, input, { method: 'POST', path: '/query', body });
    return { ...(await fetchRows(context, fetchType, mapsIn(matches))) };
  },
  example: { topK: 3, vector: [0.1, 0.2], includeMetadata: true },
});

/** The most vectors of one request. */
const batchSize = 100;

const upsert = pinecone.task({
  type: 'Upsert',
  title: 'Store vectors in Pinecone',
  description:
    'Stores vectors with `id`, `values` and `metadata`, 100 at a time; vectors with the same id are replaced.',
  properties: {
    ...namespace,
    vectors: may.maps('The vectors.'),
    from: may.file('A file in internal storage with a vector per row, instead of `vectors`.'),
  },
  output: { upsertedCount: out.integer('How many vectors were stored.') },
  run: async (client, input, context) => {
    const { vectors, from } = input;
    if ((vectors === undefined) === (from === undefined))
      throw new TaskFailed('Exactly one of "vectors" and "from" must be given.', { retry: false });
    let upsertedCount = 0;
    const rows = readMessages(context, from ?? vectors);
    for await (const batch of batchesOf(rows, { count: batchSize, bytes: 2_000_000, sizeOf })) {
      const body = { vectors: batch, namespace: input.namespace };
      const stored = await ask(client, input, { method: 'POST', path: '/vectors/upsert', body });
      upsertedCount += Number(stored.upsertedCount ?? batch.length);
    }
    return { upsertedCount };
  },
  example: { vectors: [{ id: '1', values: [0.1, 0.2], metadata: { name: 'chair' } }] },
});

const sizeOf = (vector: unknown): number => JSON.stringify(vector).length;

export const pineconeTypes = [
  createIndex,
  deleteIndex,
  describeStats,
  fetchVectors,
  deleteVectors,
  query,
  upsert,
];
