import {
  type AdditionalDefinition,
  choice,
  defineAdditional,
  flag,
  integer,
  listOf,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, type Match, scoreOfCosine, storePlace } from './store.ts';

const port = () => integer({ min: 1, max: 65_535 }).describe('Its port.');
const above = (minScore: number) => (match: Match) => match.score >= minScore;
const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Calls of one service below one address. */
function service(context: TaskContext, name: string, base: string, headers: Record<string, string> = {}) {
  for (const value of Object.values(headers)) context.masker.add(value.replace(/^\w+ /, ''));
  return (method: string, path: string, body?: unknown, allow: readonly number[] = []) =>
    callJson(context, {
      service: name,
      url: `${withoutSlash(base)}${path}`,
      method,
      headers,
      allow,
      ...(body !== undefined && { body }),
    });
}

const qdrant = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Qdrant',
  aliases: ['langchain4j.embeddings.Qdrant'],
  title: 'Embeddings in Qdrant',
  description:
    'Keeps texts and embeddings in a collection of Qdrant, which is created when it is missing. The REST API is used: the port of gRPC, 6334, is read as 6333.',
  input: () =>
    z.object({
      apiKey: text().describe('The API key; empty for a server without one.'),
      host: text().describe('The server; with `https://` when it uses TLS.'),
      port: port(),
      collectionName: text().describe('The collection.'),
    }),
  examples: [
    ingestExample(
      'in_qdrant',
      `type: ai.embeddings.Qdrant
host: qdrant.example.com
port: 6333
apiKey: "{{ secret('QDRANT_API_KEY') }}"
collectionName: documents`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    const base = /^https?:\/\//.test(input.host) ? input.host : `http://${input.host}`;
    const address = `${withoutSlash(base)}:${input.port === 6334 ? 6333 : input.port}`;
    const call = service(context, 'Qdrant', address, input.apiKey ? { 'api-key': input.apiKey } : {});
    const path = `/collections/${encodeURIComponent(input.collectionName)}`;
    return {
      name: 'Qdrant',
      async add(entries) {
        const { status } = await call('GET', path, undefined, [404]);
        if (status === 404)
          await call('PUT', path, { vectors: { size: entries[0]?.vector.length, distance: 'Cosine' } });
        const points = entries.map(({ id, vector, text: content, metadata }) => ({
          id,
          vector,
          payload: { ...metadata, text_segment: content },
        }));
        await call('PUT', `${path}/points?wait=true`, { points });
      },
      async search(vector, limit, minScore) {
        const { body } = await call('POST', `${path}/points/search`, { vector, limit, with_payload: true });
        return mapsIn(body.result)
          .map(({ payload, score }) => {
            const { text_segment: content, ...metadata } = mapIn(payload);
            return { text: textIn(content), metadata, score: scoreOfCosine(numberIn(score)) };
          })
          .filter(above(minScore));
      },
      clear: async () => void (await call('DELETE', path, undefined, [404])),
    };
  },
});

const chroma = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Chroma',
  aliases: ['langchain4j.embeddings.Chroma'],
  title: 'Embeddings in Chroma',
  description:
    'Keeps texts and embeddings in a collection of Chroma (API version 2), which is created when it is missing.',
  input: () =>
    z.object({
      baseUrl: text().describe('The address of the server, such as `http://localhost:8000`.'),
      collectionName: text().describe('The collection.'),
    }),
  examples: [
    ingestExample(
      'in_chroma',
      'type: ai.embeddings.Chroma\nbaseUrl: http://localhost:8000\ncollectionName: documents',
    ),
  ],
  create: (context, { baseUrl, collectionName }): EmbeddingStore => {
    const root = `${withoutSlash(baseUrl)}/api/v2/tenants/default_tenant/databases/default_database`;
    const call = service(context, 'Chroma', root);
    const findId = async () => {
      const { body } = await call('POST', '/collections', {
        name: collectionName,
        get_or_create: true,
        metadata: { 'hnsw:space': 'cosine' },
      });
      return encodeURIComponent(textIn(body.id));
    };
    return {
      name: 'Chroma',
      async add(entries) {
        await call('POST', `/collections/${await findId()}/upsert`, {
          ids: entries.map(({ id }) => id),
          embeddings: entries.map(({ vector }) => vector),
          documents: entries.map((entry) => entry.text),
          // Chroma accepts only plain values and no empty map.
          metadatas: entries.map(({ metadata }) =>
            Object.keys(metadata).length === 0
              ? null
              : Object.fromEntries(
                  Object.entries(metadata).map(([key, value]) => [
                    key,
                    typeof value === 'object' ? JSON.stringify(value) : value,
                  ]),
                ),
          ),
        });
      },
      async search(vector, maxResults, minScore) {
        const { body } = await call('POST', `/collections/${await findId()}/query`, {
          query_embeddings: [vector],
          n_results: maxResults,
          include: ['documents', 'metadatas', 'distances'],
        });
        const first = (value: unknown): unknown[] =>
          Array.isArray(value) && Array.isArray(value[0]) ? value[0] : [];
        const [metadatas, distances] = [first(body.metadatas), first(body.distances)];
        return first(body.documents)
          .map((document, index) => ({
            text: textIn(document),
            metadata: mapIn(metadatas[index]),
            score: scoreOfCosine(1 - numberIn(distances[index])),
          }))
          .filter(above(minScore));
      },
      clear: async () =>
        void (await call('DELETE', `/collections/${encodeURIComponent(collectionName)}`, undefined, [404])),
    };
  },
});

const weaviate = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Weaviate',
  aliases: ['langchain4j.embeddings.Weaviate'],
  title: 'Embeddings in Weaviate',
  description: 'Keeps texts and embeddings in a class of Weaviate, through its REST API.',
  input: () =>
    z.object({
      apiKey: text().describe('The API key; empty for a server without one.'),
      scheme: text().default('https').describe('`http` or `https`.'),
      host: text().describe('The server.'),
      port: port(),
      objectClass: text().describe('The class; it begins with a capital letter.'),
      consistencyLevel: choice(['ONE', 'QUORUM', 'ALL'])
        .default('QUORUM')
        .describe('How many replicas confirm a write.'),
      avoidDups: flag().default(true).describe('Store the same text with the same metadata only once.'),
      metadataFieldName: text().default('_metadata').describe('The property that holds metadata.'),
      metadataKeys: listOf(text())
        .optional()
        .describe('The keys of metadata that are kept; all when absent.'),
      useGrpcForInserts: flag().optional().describe('Accepted for compatibility; REST is used.'),
      securedGrpc: flag().optional().describe('Accepted for compatibility; REST is used.'),
      grpcPort: integer().optional().describe('Accepted for compatibility; REST is used.'),
    }),
  examples: [
    ingestExample(
      'in_weaviate',
      `type: ai.embeddings.Weaviate
scheme: https
host: weaviate.example.com
port: 443
apiKey: "{{ secret('WEAVIATE_API_KEY') }}"
objectClass: Documents`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    const { objectClass, consistencyLevel, metadataKeys } = input;
    const call = service(
      context,
      'Weaviate',
      `${input.scheme}://${input.host}:${input.port}`,
      input.apiKey ? { authorization: `Bearer ${input.apiKey}` } : {},
    );
    // GraphQL names may not begin with more than one underscore, and metadata are kept as text.
    const field = input.metadataFieldName;
    const idOf = async (id: string, content: string, metadata: unknown) => {
      if (!input.avoidDups) return id;
      const hash = await crypto.subtle.digest(
        'SHA-256',
        new TextEncoder().encode(JSON.stringify([content, metadata])),
      );
      const hex = Buffer.from(hash).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    };
    return {
      name: 'Weaviate',
      async add(entries) {
        const objects = await Promise.all(
          entries.map(async ({ id, vector, text: content, metadata }) => {
            const kept = metadataKeys
              ? Object.fromEntries(metadataKeys.map((key) => [key, metadata[key]]))
              : metadata;
            return {
              class: objectClass,
              id: await idOf(id, content, kept),
              vector,
              properties: { text: content, [field]: JSON.stringify(kept) },
            };
          }),
        );
        await call('POST', `/v1/batch/objects?consistency_level=${consistencyLevel}`, { objects });
      },
      async search(vector, maxResults, minScore) {
        const query = `{ Get { ${objectClass}(nearVector: { vector: ${JSON.stringify(vector)} }, limit: ${maxResults}) { text ${field} _additional { distance } } } }`;
        const { body } = await call('POST', '/v1/graphql', { query });
        return mapsIn(mapIn(mapIn(body.data).Get)[objectClass])
          .map((row) => ({
            text: textIn(row.text),
            metadata: mapIn(JSON.parse(textIn(row[field]) || '{}')),
            score: scoreOfCosine(1 - numberIn(mapIn(row._additional).distance)),
          }))
          .filter(above(minScore));
      },
      clear: async () =>
        void (await call('DELETE', `/v1/schema/${encodeURIComponent(objectClass)}`, undefined, [400, 404])),
    };
  },
});

export const httpStores: readonly AdditionalDefinition[] = [qdrant, chroma, weaviate];
