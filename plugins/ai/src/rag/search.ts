import { choice, decimal, defineTask, integer, text, writeTypedRows } from '@millrace/plugin-kit';
import { z } from 'zod';
import { embeddingModel, oneTask } from '../base/example.ts';
import { providerProperty } from '../base/modelProvider.ts';
import { providerMetric, storeMetric } from '../base/outputs.ts';
import { storeProperty } from '../embeddings/store.ts';
import { searchStore } from '../retriever/retrievers.ts';

export const ragSearch = defineTask({
  type: 'ai.rag.Search',
  aliases: ['langchain4j.rag.Search'],
  title: 'Search an embedding store',
  description: 'Finds the texts of a store that are closest in meaning to a query.',
  input: () =>
    z.object({
      query: text().describe('What to search for.'),
      maxResults: integer({ min: 1 }).describe('The most texts that are returned.'),
      minScore: decimal().describe('The lowest score of a text, from 0 to 1.'),
      provider: providerProperty(),
      embeddings: storeProperty(),
      fetchType: choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
        .default('NONE')
        .describe(
          'How to return the texts: a file (`STORE`), all in `results` (`FETCH`), only the first (`FETCH_ONE`), or only their number (`NONE`).',
        ),
    }),
  output: () =>
    z.object({
      results: z.array(z.string()).optional().describe('The texts, the closest first.'),
      uri: z.string().optional().describe('The file with one text a row.'),
      size: z.number().describe('How many texts were found.'),
    }),
  metrics: [
    { name: 'fetch.size', type: 'counter', description: 'How many texts were found.' },
    providerMetric,
    storeMetric,
  ],
  sideEffects: true,
  examples: [
    oneTask(
      'search_documents',
      'ai.rag.Search',
      'Find texts about a subject.',
      `${embeddingModel()}
embeddings:
  type: ai.embeddings.KestraKVStore
  kvName: documents
query: When is the office open?
maxResults: 3
minScore: 0.6
fetchType: FETCH`,
    ),
  ],
  async run(context, input) {
    const found = await searchStore(context, { ...input, embeddingProvider: input.provider }, input.query);
    const texts = found.map(({ content }) => content);
    context.metric({ name: 'fetch.size', type: 'counter', value: texts.length });
    const size = texts.length;
    switch (input.fetchType) {
      case 'STORE':
        return { uri: await context.files.put('results.ion', writeTypedRows(texts).content), size };
      case 'FETCH':
        return { results: texts, size };
      case 'FETCH_ONE':
        return { results: texts.slice(0, 1), size: Math.min(size, 1) };
      default:
        return { size };
    }
  },
});
