import { defineAdditional, integer, TaskFailed, text } from '@millrace/plugin-kit';
import { withRedis } from '@millrace/plugin-redis/client';
import { z } from 'zod';
import { mapIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, scoreOfCosine, storePlace } from './store.ts';

export const redisStore = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Redis',
  title: 'Embeddings in Redis',
  description:
    'Keeps texts and embeddings as hashes in Redis with its query engine: Redis 8, Redis Stack or the module RediSearch. The index is created when it is missing.',
  input: () =>
    z.object({
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).describe('Its port.'),
      indexName: text().default('embedding-index').describe('The index; its name begins the keys.'),
    }),
  examples: [ingestExample('in_redis', 'type: ai.embeddings.Redis\nhost: redis.example.com\nport: 6379')],
  create: (context, { host, port, indexName }): EmbeddingStore => {
    const url = `redis://${host.includes(':') ? `[${host}]` : host}:${port}/0`;
    // Each generation of the query engine has another message.
    const isMissing = (error: unknown) =>
      /unknown index|no such index|SEARCH_INDEX_NOT_FOUND/i.test(String(error));
    return {
      name: 'Redis',
      add: (entries) =>
        withRedis(context, url, async (redis) => {
          const { vector: sample = [] } = entries[0] ?? {};
          // A search checks the length of vectors; texts with another one would be stored and never found.
          await redis.call(...nearest(indexName, sample, 1)).catch(async (error: unknown) => {
            if (!isMissing(error)) throw explainLength(error, indexName, sample);
            await redis.call(
              ...(['FT.CREATE', indexName, 'ON', 'HASH', 'PREFIX', '1', `${indexName}:`] as const),
              ...['SCHEMA', 'text', 'TEXT', 'metadata', 'TEXT', 'NOINDEX'],
              ...['vector', 'VECTOR', 'HNSW', '6', 'TYPE', 'FLOAT32', 'DIM', String(sample.length)],
              ...['DISTANCE_METRIC', 'COSINE'],
            );
          });
          const pipeline = redis.pipeline();
          for (const { id, vector, text: content, metadata } of entries)
            pipeline.hset(`${indexName}:${id}`, {
              text: content,
              metadata: JSON.stringify(metadata),
              vector: toBytes(vector),
            });
          // The pipeline resolves even when commands fail, such as without memory.
          const failure = (await pipeline.exec())?.find(([error]) => error !== null)?.[0];
          if (failure) throw failure;
        }),
      search: (vector, maxResults, minScore) =>
        withRedis(context, url, async (redis) => {
          const found = await redis
            .call(...nearest(indexName, vector, maxResults))
            .catch((error: unknown) => Promise.reject(explainLength(error, indexName, vector)));
          return readHits(found).filter(({ score }) => score >= minScore);
        }),
      clear: () =>
        withRedis(context, url, async (redis) => {
          await redis.call('FT.DROPINDEX', indexName, 'DD').catch((error: unknown) => {
            if (!isMissing(error)) throw error;
          });
        }),
    };
  },
});

type Vector = readonly number[];

/** The command that finds the entries with the nearest vectors. */
const nearest = (indexName: string, vector: Vector, count: number) =>
  [
    ...['FT.SEARCH', indexName, `*=>[KNN ${count} @vector $vector AS distance]`],
    ...['PARAMS', '2', 'vector', toBytes(vector)],
    ...['SORTBY', 'distance', 'RETURN', '3', 'text', 'metadata', 'distance'],
    ...['LIMIT', '0', String(count), 'DIALECT', '2'],
  ] as [string, ...(string | Buffer)[]]; // `as`: spreading loses that the first word is the command.

/** The engine reports lengths in bytes, four for each number. */
function explainLength(error: unknown, indexName: string, vector: Vector): unknown {
  const [, expected] = /expected size \((\d+)\)/.exec(String(error)) ?? [];
  if (expected === undefined) return error;
  return new TaskFailed(
    `The index "${indexName}" holds vectors of ${Number(expected) / 4} numbers, but the model makes vectors of ${vector.length}. Use the model that the index was made with, another "indexName", or ingest all documents again with "drop: true".`,
    { retry: false, cause: error },
  );
}

const toBytes = (vector: Vector): Buffer => Buffer.from(Float32Array.from(vector).buffer);

/** The number of hits, then each key followed by its fields. */
function readHits(found: unknown) {
  const rows = Array.isArray(found) ? found.slice(1).filter((_, index) => index % 2 === 1) : [];
  return rows.map((row: readonly string[]) => {
    const fields = new Map<string, string>();
    for (let index = 0; index + 1 < row.length; index += 2)
      fields.set(String(row[index]), String(row[index + 1]));
    return {
      text: fields.get('text') ?? '',
      metadata: mapIn(JSON.parse(fields.get('metadata') ?? '{}')),
      score: scoreOfCosine(1 - Number(fields.get('distance') ?? 1)),
    };
  });
}
