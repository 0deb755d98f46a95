import { defineAdditional, type TaskContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { ingestExample } from './example.ts';
import { cosineOf, type EmbeddingStore, type Entry, scoreOfCosine, storePlace } from './store.ts';

export const keyValueStore = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.KestraKVStore',
  aliases: ['langchain4j.embeddings.KestraKVStore'],
  title: 'Embeddings in the key-value store',
  description:
    'Keeps all texts and embeddings as one JSON value in the key-value store of the namespace. Needs no other server; made for up to a few thousand texts.',
  input: () =>
    z.object({
      kvName: text().optional().describe('The key; by default `{{ flow.id }}-embedding-store`.'),
    }),
  examples: [ingestExample('in_key_value_store', 'type: ai.embeddings.KestraKVStore\nkvName: documents')],
  create: (context, { kvName }) => open(context, kvName ?? `${context.run.flowId}-embedding-store`),
});

async function open(context: TaskContext, key: string): Promise<EmbeddingStore> {
  const { namespace } = context.run;
  let entries: Entry[] = readEntries(await context.kv.get(key, namespace));
  let isChanged = false;
  return {
    name: 'KestraKVStore',
    outputs: { kvName: key },
    async add(added) {
      entries.push(...added);
      isChanged = true;
    },
    async search(vector, maxResults, minScore) {
      return entries
        .map((entry) => ({ ...entry, score: scoreOfCosine(cosineOf(vector, entry.vector)) }))
        .filter(({ score }) => score >= minScore)
        .sort((a, b) => b.score - a.score)
        .slice(0, maxResults)
        .map(({ text: found, metadata, score }) => ({ text: found, metadata, score }));
    },
    async clear() {
      entries = [];
      isChanged = true;
    },
    async flush() {
      if (!isChanged) return;
      const value = { entries: entries.map(writeEntry) };
      await context.kv.set(key, value, { namespace, overwrite: true, type: 'JSON' });
    },
  };
}

// The same shape as Kestra writes, so that a store that was copied can be read.
const writeEntry = ({ id, vector, text: content, metadata }: Entry) => ({
  id,
  embedding: { vector },
  embedded: { text: content, metadata: { metadata } },
});

function readEntries(value: unknown): Entry[] {
  const read: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return mapsIn(mapIn(read).entries).map(({ id, embedding, embedded }) => ({
    id: textIn(id),
    vector: mapIn(embedding).vector as number[], // written above
    text: textIn(mapIn(embedded).text),
    metadata: mapIn(mapIn(mapIn(embedded).metadata).metadata),
  }));
}
