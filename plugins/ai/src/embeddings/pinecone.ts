import { defineAdditional, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, callText, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, scoreOfCosine, storePlace } from './store.ts';

export const pinecone = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Pinecone',
  aliases: ['langchain4j.embeddings.Pinecone'],
  title: 'Embeddings in Pinecone',
  description:
    'Keeps texts and embeddings in a serverless index of Pinecone, which is created when it is missing.',
  input: () =>
    z.object({
      apiKey: text().describe('The API key.'),
      cloud: text().describe('The cloud of the index, such as `aws`.'),
      region: text().describe('The region of the index, such as `us-east-1`.'),
      index: text().describe('The index.'),
      namespace: text().default('').describe('The namespace in the index.'),
    }),
  examples: [
    ingestExample(
      'in_pinecone',
      `type: ai.embeddings.Pinecone
apiKey: "{{ secret('PINECONE_API_KEY') }}"
cloud: aws
region: us-east-1
index: documents`,
    ),
  ],
  create: (context, { apiKey, cloud, region, index, namespace }): EmbeddingStore => {
    const login = { 'api-key': apiKey, 'x-pinecone-api-version': '2025-01' };
    context.masker.add(apiKey);
    const call = async (url: string, method: string, body?: unknown, allow: readonly number[] = []) =>
      callJson(context, {
        service: 'Pinecone',
        url,
        method,
        headers: login,
        allow,
        ...(body !== undefined && { body }),
      });
    const control = 'https://api.pinecone.io/indexes';
    const findHost = async (dimension?: number): Promise<string> => {
      const found = await call(`${control}/${encodeURIComponent(index)}`, 'GET', undefined, [404]);
      const { body } =
        found.status === 404 && dimension !== undefined
          ? await call(control, 'POST', {
              name: index,
              dimension,
              metric: 'cosine',
              spec: { serverless: { cloud, region } },
            })
          : found;
      const host = textIn(body.host);
      return /^https?:\/\//.test(host) ? host : `https://${host}`;
    };
    return {
      name: 'Pinecone',
      async add(entries) {
        const host = await findHost(entries[0]?.vector.length);
        const vectors = entries.map(({ id, vector, text: content, metadata }) => ({
          id,
          values: vector,
          metadata: { ...metadata, text_segment: content },
        }));
        for (let start = 0; start < vectors.length; start += 100)
          await call(`${host}/vectors/upsert`, 'POST', {
            vectors: vectors.slice(start, start + 100),
            namespace,
          });
      },
      async search(vector, topK, minScore) {
        const { body } = await call(`${await findHost()}/query`, 'POST', {
          vector,
          topK,
          namespace,
          includeMetadata: true,
        });
        return mapsIn(body.matches)
          .map(({ score, metadata }) => {
            const { text_segment: content, ...rest } = mapIn(metadata);
            return { text: textIn(content), metadata: rest, score: scoreOfCosine(numberIn(score)) };
          })
          .filter(({ score }) => score >= minScore);
      },
      async clear() {
        const { status } = await call(`${control}/${encodeURIComponent(index)}`, 'GET', undefined, [404]);
        if (status === 404) return;
        await callText(context, {
          service: 'Pinecone',
          url: `${await findHost()}/vectors/delete`,
          headers: login,
          body: { deleteAll: true, namespace },
          allow: [404],
        });
      },
    };
  },
});
