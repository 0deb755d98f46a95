import { defineAdditional, flag, integer, listOf, part, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, storePlace } from './store.ts';

export const elasticsearch = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Elasticsearch',
  aliases: ['langchain4j.embeddings.Elasticsearch'],
  title: 'Embeddings in Elasticsearch',
  description:
    'Keeps texts and embeddings in an index of Elasticsearch 8 or newer, which is created when it is missing.',
  input: () =>
    z.object({
      connection: part({
        hosts: listOf(text(), { min: 1 }).describe('The addresses of the nodes; the first one is used.'),
        basicAuth: part({
          username: text().optional().describe('The user.'),
          password: text().optional().describe('The password.'),
        })
          .optional()
          .describe('User and password.'),
        headers: listOf(text())
          .default([])
          .describe('Headers of every request, such as `Authorization: ApiKey …`.'),
        pathPrefix: text().optional().describe('Goes before every path.'),
        strictDeprecationMode: flag().optional().describe('Accepted for compatibility.'),
        trustAllSsl: flag().default(false).describe('Do not check the certificate.'),
        targetServerVersion: integer().default(8).describe('Accepted for compatibility.'),
      }).describe('How to reach the cluster.'),
      indexName: text().describe('The index.'),
    }),
  examples: [
    ingestExample(
      'in_elasticsearch',
      `type: ai.embeddings.Elasticsearch
connection:
  hosts: [https://search.example.com:9200]
  basicAuth:
    username: ingest
    password: "{{ secret('ELASTIC_PASSWORD') }}"
indexName: documents`,
    ),
  ],
  create: (context, { connection, indexName }): EmbeddingStore => {
    const { hosts, basicAuth, headers, pathPrefix = '', trustAllSsl } = connection;
    if (basicAuth?.password) context.masker.add(basicAuth.password);
    const host = hosts[0] ?? '';
    const prefix = pathPrefix === '' ? '' : `/${pathPrefix.replace(/^\/+|\/+$/g, '')}`;
    const base = `${(/^https?:\/\//.test(host) ? host : `http://${host}`).replace(/\/+$/, '')}${prefix}`;
    const login = basicAuth?.username && `${basicAuth.username}:${basicAuth.password ?? ''}`;
    const own = headers.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    });
    const call = (method: string, path: string, body?: unknown, allow: readonly number[] = []) =>
      callJson(context, {
        service: 'Elasticsearch',
        url: `${base}${path}`,
        method,
        headers: {
          ...(login && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
          ...Object.fromEntries(own),
        },
        allow,
        trustAllCertificates: trustAllSsl,
        ...(body !== undefined && { body }),
      });
    const index = `/${encodeURIComponent(indexName)}`;
    return {
      name: 'Elasticsearch',
      async add(entries) {
        const { status } = await call('GET', `${index}/_mapping`, undefined, [404]);
        if (status === 404)
          await call('PUT', index, {
            mappings: {
              properties: {
                vector: {
                  type: 'dense_vector',
                  dims: entries[0]?.vector.length,
                  index: true,
                  similarity: 'cosine',
                },
                text: { type: 'text' },
                metadata: { type: 'object', enabled: true },
              },
            },
          });
        for (const { id, vector, text: content, metadata } of entries)
          await call('PUT', `${index}/_doc/${id}`, { vector, text: content, metadata });
        await call('POST', `${index}/_refresh`);
      },
      async search(vector, k, minScore) {
        const { body } = await call('POST', `${index}/_search`, {
          knn: { field: 'vector', query_vector: vector, k, num_candidates: Math.max(k, 100) },
          size: k,
          _source: ['text', 'metadata'],
        });
        return mapsIn(mapIn(body.hits).hits)
          .map(({ _source, _score }) => {
            const { text: content, metadata } = mapIn(_source);
            // The score of a kNN search with cosine similarity is already (1 + cosine) / 2.
            return { text: textIn(content), metadata: mapIn(metadata), score: numberIn(_score) };
          })
          .filter(({ score }) => score >= minScore);
      },
      clear: async () => void (await call('DELETE', index, undefined, [404])),
    };
  },
});
