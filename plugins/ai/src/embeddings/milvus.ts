import { defineAdditional, flag, integer, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, scoreOfCosine, storePlace } from './store.ts';

export const milvus = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.Milvus',
  aliases: ['langchain4j.embeddings.Milvus'],
  title: 'Embeddings in Milvus',
  description:
    'Keeps texts and embeddings in a collection of Milvus or Zilliz Cloud through its REST API (version 2). The collection is created when it is missing.',
  input: () =>
    z.object({
      token: text().describe('The token, or `user:password`.'),
      uri: text().optional().describe('The address, instead of `host` and `port`.'),
      host: text().optional().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).optional().describe('Its port; 19530 when absent.'),
      username: text().optional().describe('The user, with `password` instead of `token`.'),
      password: text().optional().describe('The password of the user.'),
      collectionName: text().default('default').describe('The collection.'),
      consistencyLevel: text().optional().describe('The consistency of searches, such as `Strong`.'),
      indexType: text().optional().describe('The kind of index, such as `HNSW`; AUTOINDEX when absent.'),
      metricType: text()
        .default('COSINE')
        .describe('How distances are measured; only COSINE gives scores from 0 to 1.'),
      retrieveEmbeddingsOnSearch: flag().optional().describe('Accepted for compatibility.'),
      databaseName: text().optional().describe('The database.'),
      autoFlushOnInsert: flag().optional().describe('Accepted for compatibility; Milvus flushes by itself.'),
      autoFlushOnDelete: flag().optional().describe('Accepted for compatibility; Milvus flushes by itself.'),
      idFieldName: text().default('id').describe('The field of the id.'),
      textFieldName: text().default('text').describe('The field of the text.'),
      metadataFieldName: text().default('metadata').describe('The field of the metadata.'),
      vectorFieldName: text().default('vector').describe('The field of the embedding.'),
    }),
  examples: [
    ingestExample(
      'in_milvus',
      `type: ai.embeddings.Milvus
uri: http://milvus.example.com:19530
token: "{{ secret('MILVUS_TOKEN') }}"
collectionName: documents`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    const { idFieldName, textFieldName, metadataFieldName, vectorFieldName, collectionName } = input;
    const { uri, host = 'localhost', port = 19530, username, password = '' } = input;
    const base = (uri ?? (/^https?:\/\//.test(host) ? `${host}:${port}` : `http://${host}:${port}`)).replace(
      /\/+$/,
      '',
    );
    const token = username === undefined ? input.token : `${username}:${password}`;
    if (token !== '') context.masker.add(token);
    const call = async (path: string, values: object = {}) => {
      const { body } = await callJson(context, {
        service: 'Milvus',
        url: `${base}/v2/vectordb/${path}`,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
        body: { collectionName, ...(input.databaseName && { dbName: input.databaseName }), ...values },
      });
      // Milvus reports failures with status 200 and its own code in the body.
      if (numberIn(body.code) !== 0) throw new TaskFailed(`Milvus: ${textIn(body.message)}`);
      return body;
    };
    const exists = async () => mapIn((await call('collections/has')).data).has === true;
    const create = (dimension: number) =>
      call('collections/create', {
        schema: {
          autoID: false,
          fields: [
            {
              fieldName: idFieldName,
              dataType: 'VarChar',
              isPrimary: true,
              elementTypeParams: { max_length: '36' },
            },
            { fieldName: textFieldName, dataType: 'VarChar', elementTypeParams: { max_length: '65535' } },
            { fieldName: metadataFieldName, dataType: 'JSON' },
            {
              fieldName: vectorFieldName,
              dataType: 'FloatVector',
              elementTypeParams: { dim: String(dimension) },
            },
          ],
        },
        indexParams: [
          {
            fieldName: vectorFieldName,
            indexName: vectorFieldName,
            metricType: input.metricType,
            params: { index_type: input.indexType ?? 'AUTOINDEX' },
          },
        ],
      });
    return {
      name: 'Milvus',
      async add(entries) {
        if (!(await exists())) await create(entries[0]?.vector.length ?? 0);
        await call('entities/insert', {
          data: entries.map(({ id, vector, text: content, metadata }) => ({
            [idFieldName]: id,
            [textFieldName]: content,
            [metadataFieldName]: metadata,
            [vectorFieldName]: vector,
          })),
        });
      },
      async search(vector, limit, minScore) {
        const { data } = await call('entities/search', {
          data: [vector],
          annsField: vectorFieldName,
          limit,
          outputFields: [textFieldName, metadataFieldName],
          ...(input.consistencyLevel && { consistencyLevel: input.consistencyLevel }),
        });
        return mapsIn(data)
          .map((row) => ({
            text: textIn(row[textFieldName]),
            metadata: readMetadata(row[metadataFieldName]),
            score: scoreOfCosine(numberIn(row.distance)),
          }))
          .filter(({ score }) => score >= minScore);
      },
      clear: async () => {
        if (await exists()) await call('collections/drop');
      },
    };
  },
});

const readMetadata = (value: unknown) => mapIn(typeof value === 'string' ? JSON.parse(value) : value);
