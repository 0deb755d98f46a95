import { runType } from '@millrace/plugin-kit/testing';
import { ingestDocument } from '../rag/ingestDocument.ts';
import { ragSearch } from '../rag/search.ts';
import { anAiContext } from './aiContext.ts';
import type { ModelServer } from './modelServer.ts';

type Data = Record<string, unknown>;

export const texts = [
  'Our office in Paris opens at nine in the morning.',
  'Cats sleep most of the day.',
  'The parking lot is behind the building.',
];

/** The tasks that store documents and find them, with embeddings of a model server. */
export function ragTasks(model: ModelServer) {
  const provider = () => ({ type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url });
  const embeddings = { type: 'ai.embeddings.KestraKVStore' };
  return {
    provider,
    ingest: (properties: Data, context = anAiContext()) =>
      runType(ingestDocument, { provider: provider(), embeddings, ...properties }, context),
    search: (properties: Data, context: ReturnType<typeof anAiContext>) =>
      runType(
        ragSearch,
        {
          provider: provider(),
          embeddings,
          query: 'When does the office in Paris open?',
          maxResults: 1,
          minScore: 0,
          fetchType: 'FETCH',
          ...properties,
        },
        context,
      ),
  };
}
