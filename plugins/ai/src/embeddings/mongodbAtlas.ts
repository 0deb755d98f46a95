import { anything, defineAdditional, flag, listOf, mapOf, text } from '@millrace/plugin-kit';
import { withCollection } from '@millrace/plugin-mongodb/client';
import { z } from 'zod';
import { mapIn, numberIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, storePlace } from './store.ts';

/** The limit of Atlas. */
const maxCandidates = 10_000;

export const mongodbAtlas = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.MongoDBAtlas',
  aliases: ['langchain4j.embeddings.MongoDBAtlas'],
  title: 'Embeddings in MongoDB Atlas',
  description:
    'Keeps texts and embeddings in a collection of MongoDB Atlas and finds them with Atlas Vector Search.',
  input: () =>
    z.object({
      username: text().optional().describe('The user.'),
      password: text().optional().describe('The password.'),
      scheme: text().describe('`mongodb+srv` or `mongodb`.'),
      host: text().describe('The host, such as `cluster0.abc.mongodb.net`.'),
      database: text().describe('The database.'),
      options: mapOf(anything()).optional().describe('Options of the connection string.'),
      collectionName: text().describe('The collection.'),
      indexName: text().describe('The vector search index.'),
      metadataFieldNames: listOf(text()).optional().describe('Metadata that searches may filter by.'),
      createIndex: flag().default(false).describe('Create the index when it is missing.'),
    }),
  examples: [
    ingestExample(
      'in_atlas',
      `type: ai.embeddings.MongoDBAtlas
scheme: mongodb+srv
host: cluster0.abc.mongodb.net
username: ingest
password: "{{ secret('ATLAS_PASSWORD') }}"
database: documents
collectionName: embeddings
indexName: vector_index
createIndex: true`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    const login = input.username
      ? `${encodeURIComponent(input.username)}:${encodeURIComponent(input.password ?? '')}@`
      : '';
    const options = new URLSearchParams(
      Object.entries(input.options ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const place = {
      connection: { uri: `${input.scheme}://${login}${input.host}/?${options}` },
      database: input.database,
      collection: input.collectionName,
    };
    return {
      name: 'MongoDBAtlas',
      add: (entries) =>
        withCollection(context, place, async (collection) => {
          await collection.insertMany(
            entries.map(({ id, vector, text: content, metadata }) => ({
              // `as`: the ids of this collection are texts.
              _id: id as never,
              embedding: [...vector],
              text: content,
              metadata: { ...metadata },
            })),
          );
          if (!input.createIndex) return;
          const known = await collection.listSearchIndexes(input.indexName).toArray();
          if (known.length > 0) return;
          await collection.createSearchIndex({
            name: input.indexName,
            type: 'vectorSearch',
            definition: {
              fields: [
                {
                  type: 'vector',
                  path: 'embedding',
                  numDimensions: entries[0]?.vector.length,
                  similarity: 'cosine',
                },
                ...(input.metadataFieldNames ?? []).map((name) => ({
                  type: 'filter',
                  path: `metadata.${name}`,
                })),
              ],
            },
          });
        }),
      search: (vector, limit, minScore) =>
        withCollection(context, place, async (collection) => {
          const rows = await collection
            .aggregate([
              {
                $vectorSearch: {
                  index: input.indexName,
                  path: 'embedding',
                  queryVector: [...vector],
                  numCandidates: Math.min(Math.max(limit * 10, 100), maxCandidates),
                  limit,
                },
              },
              { $project: { text: 1, metadata: 1, score: { $meta: 'vectorSearchScore' } } },
            ])
            .toArray();
          // The score of Atlas with cosine similarity is already (1 + cosine) / 2.
          return rows
            .map((row) => ({
              text: textIn(row.text),
              metadata: mapIn(row.metadata),
              score: numberIn(row.score),
            }))
            .filter(({ score }) => score >= minScore);
        }),
      clear: () =>
        withCollection(context, place, async (collection) => void (await collection.deleteMany({}))),
    };
  },
});
