import { randomUUID } from 'node:crypto';
import {
  anything,
  choice,
  defineTask,
  flag,
  integer,
  listOf,
  mapOf,
  matchingFiles,
  nameOfUri,
  part,
  readInside,
  readText,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { folderVariables } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { callText } from '../base/callJson.ts';
import { embeddingModel, oneTask } from '../base/example.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { countStoreCall, countTokens, providerMetric, storeMetric, tokenMetrics } from '../base/outputs.ts';
import { createStore, embedTexts, storeProperty } from '../embeddings/store.ts';
import { splitDocument } from './splitDocument.ts';

interface Document {
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export const ingestDocument = defineTask({
  type: 'ai.rag.IngestDocument',
  aliases: ['langchain4j.rag.IngestDocument'],
  title: 'Store documents with their embeddings',
  description: `Reads texts, cuts them into segments, makes an embedding of each with a model and keeps both in a store, where
\`ai.rag.ChatCompletion\` and \`ai.rag.Search\` find them. Documents are read as text; convert other formats first. Running
the task again adds the documents again, unless \`drop\` empties the store.`,
  input: () =>
    z.object({
      provider: providerProperty(),
      embeddings: storeProperty(),
      fromPath: text()
        .optional()
        .describe('A folder of the working folder, whose files are read with those below it.'),
      fromInternalURIs: listOf(text()).optional().describe('Files of internal storage.'),
      fromExternalURLs: listOf(text()).optional().describe('Addresses of the web.'),
      fromDocuments: listOf(
        part({
          content: text().describe('The text.'),
          metadata: mapOf(anything()).optional().describe('What to remember about it.'),
        }),
      )
        .optional()
        .describe('Texts.'),
      metadata: mapOf(text()).optional().describe('What to remember about all documents.'),
      documentSplitter: part({
        splitter: choice(['RECURSIVE', 'PARAGRAPH', 'LINE', 'SENTENCE', 'WORD'])
          .default('RECURSIVE')
          .describe('Where to cut; RECURSIVE cuts at paragraphs and finer only where it must.'),
        maxSegmentSizeInChars: integer({ min: 1 }).describe('The longest segment, in characters.'),
        maxOverlapSizeInChars: integer({ min: 0 }).describe(
          'How much of the end of a segment the next one repeats, in characters.',
        ),
      })
        .optional()
        .describe('How documents are cut into segments; they stay whole when absent.'),
      drop: flag().default(false).describe('Empty the store first.'),
      bulkSize: integer({ min: 1 }).default(500).describe('How many segments are stored at once.'),
    }),
  output: () =>
    z.object({
      ingestedDocuments: z.number().describe('How many documents were read.'),
      inputTokenCount: z.number().describe('Tokens that were sent.'),
      outputTokenCount: z.number().describe('Tokens that were generated; embeddings have none.'),
      totalTokenCount: z.number().describe('Tokens in total.'),
      embeddingStoreOutputs: z
        .record(z.string(), z.unknown())
        .describe('What the store says about itself, such as its key.'),
    }),
  renderWith: folderVariables,
  metrics: [
    { name: 'indexed.documents', type: 'counter', description: 'How many documents were read.' },
    ...tokenMetrics,
    providerMetric,
    storeMetric,
  ],
  sideEffects: true,
  examples: [
    oneTask(
      'ingest_documents',
      'ai.rag.IngestDocument',
      'Store a document of the web in segments.',
      `${embeddingModel()}
embeddings:
  type: ai.embeddings.KestraKVStore
  kvName: documents
drop: true
fromExternalURLs:
  - https://example.com/handbook.md
documentSplitter:
  maxSegmentSizeInChars: 1000
  maxOverlapSizeInChars: 100`,
    ),
  ],
  async run(context, input) {
    const { documentSplitter, metadata = {} } = input;
    const provider = await createProvider(context, input.provider);
    const store = await createStore(context, input.embeddings);
    if (input.drop) await store.clear();
    let documents = 0;
    let tokens = 0;
    let pending: Document[] = [];
    const write = async () => {
      if (pending.length === 0) return;
      const embedded = await embedTexts(
        context,
        provider,
        pending.map(({ content }) => content),
      );
      tokens += embedded.tokens;
      countStoreCall(context, store.name);
      await store.add(
        pending.map(({ content, metadata: own }, index) => ({
          id: randomUUID(),
          vector: embedded.vectors[index] ?? [],
          text: content,
          metadata: own,
        })),
      );
      pending = [];
    };
    for await (const document of readDocuments(context, input)) {
      documents++;
      const segments = documentSplitter
        ? splitDocument(document.content, documentSplitter)
        : [document.content];
      for (const [index, content] of segments.entries()) {
        const place = documentSplitter ? { index: String(index) } : {};
        pending.push({ content, metadata: { ...metadata, ...document.metadata, ...place } });
        if (pending.length >= input.bulkSize) await write();
      }
    }
    if (documents === 0)
      throw new TaskFailed(
        'There is no document. Give "fromPath", "fromInternalURIs", "fromExternalURLs" or "fromDocuments".',
        { retry: false },
      );
    await write();
    await store.flush?.();
    context.metric({ name: 'indexed.documents', type: 'counter', value: documents });
    countTokens(context, { inputTokenCount: tokens, outputTokenCount: 0, totalTokenCount: tokens });
    return {
      ingestedDocuments: documents,
      inputTokenCount: tokens,
      outputTokenCount: 0,
      totalTokenCount: tokens,
      embeddingStoreOutputs: { ...store.outputs },
    };
  },
});

interface Sources {
  readonly fromPath?: string | undefined;
  readonly fromInternalURIs?: readonly string[] | undefined;
  readonly fromExternalURLs?: readonly string[] | undefined;
  readonly fromDocuments?:
    | readonly { readonly content: string; readonly metadata?: Document['metadata'] | undefined }[]
    | undefined;
}

/** One document after the other, so that only one is in memory. */
async function* readDocuments(context: TaskContext, sources: Sources): AsyncGenerator<Document> {
  const { fromPath, fromInternalURIs = [], fromExternalURLs = [], fromDocuments = [] } = sources;
  for (const { content, metadata = {} } of fromDocuments) yield { content, metadata };
  for (const uri of fromInternalURIs)
    yield { content: await readText(context.files, uri), metadata: { file_name: nameOfUri(uri) } };
  for (const url of fromExternalURLs) {
    const { text: content } = await callText(context, { service: url, url, headers: { accept: '*/*' } });
    yield { content, metadata: { url } };
  }
  if (fromPath === undefined) return;
  const folder = await context.workingDirectory();
  const inner = fromPath.startsWith(`${folder}/`) ? fromPath.slice(folder.length + 1) : fromPath;
  const base = inner.replace(/^[./]+|\/+$/g, '');
  for await (const { path, isLink } of matchingFiles(folder, [base === '' ? '**' : `${base}/**`])) {
    if (isLink) continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of readInside(folder, path)) chunks.push(chunk);
    yield { content: Buffer.concat(chunks).toString('utf8'), metadata: { file_name: path } };
  }
}
