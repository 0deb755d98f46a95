import { embeddingModel, oneTask } from '../base/example.ts';

/** A flow that stores a text. */
export const ingestExample = (id: string, store: string) =>
  oneTask(
    `ingest_${id}`,
    'ai.rag.IngestDocument',
    'Store a text with its embedding.',
    `${embeddingModel()}
embeddings:
${store.replace(/^/gm, '  ')}
fromDocuments:
  - content: Our office in Paris is open from 9 to 18.`,
  );
