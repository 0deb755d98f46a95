import { decimal, defineTask, part, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { runAgent } from '../agent/aiAgent.ts';
import { chatConfiguration } from '../base/chatConfiguration.ts';
import { outputsOf } from '../base/converse.ts';
import { embeddingModel, oneTask, openAI } from '../base/example.ts';
import { findViolation, guardrailsProperty } from '../base/guardrails.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { aiOutput, providerMetric, storeMetric, tokenMetrics, toolMetric } from '../base/outputs.ts';
import { toolsProperty } from '../base/tool.ts';
import { maxResultsProperty } from '../base/webSearch.ts';
import { storeProperty } from '../embeddings/store.ts';
import { memoryProperty } from '../memory/memory.ts';
import { retrieveAll, retrieversProperty, sourcesOf } from '../retriever/retriever.ts';
import { searchStore } from '../retriever/retrievers.ts';

export const ragChatCompletion = defineTask({
  type: 'ai.rag.ChatCompletion',
  aliases: ['langchain4j.rag.ChatCompletion'],
  title: 'Ask a model about your documents',
  description: `Searches an embedding store, and other content retrievers, for texts about the prompt, and lets a model answer with
them. \`sources\` has the texts that were found.`,
  input: () =>
    z.object({
      systemMessage: text().optional().describe('Instructions for the model.'),
      prompt: text().describe('The question.'),
      embeddings: storeProperty().optional().describe('The store with the texts.'),
      embeddingProvider: providerProperty()
        .optional()
        .describe('The model that the texts were stored with; `chatProvider` when absent.'),
      chatProvider: providerProperty().describe('The model that answers.'),
      chatConfiguration: chatConfiguration(),
      contentRetrieverConfiguration: part({
        maxResults: maxResultsProperty(),
        minScore: decimal().default(0).describe('The lowest score of a text, from 0 to 1.'),
      })
        .prefault({})
        .describe('How the store is searched.'),
      contentRetrievers: retrieversProperty(),
      tools: toolsProperty(),
      memory: memoryProperty(),
      guardrails: guardrailsProperty(),
    }),
  output: () =>
    z.object({
      completion: z.string().optional().describe('Deprecated: use `textOutput`.'),
      ...aiOutput(),
    }),
  raw: ['tools', 'guardrails'],
  metrics: [...tokenMetrics, toolMetric, providerMetric, storeMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'ask_documents',
      'ai.rag.ChatCompletion',
      'Answer a question with stored documents.',
      `${openAI('chatProvider')}
${embeddingModel('embeddingProvider')}
embeddings:
  type: ai.embeddings.KestraKVStore
  kvName: documents
systemMessage: Answer only with the given information. Say so when it is not enough.
prompt: When is the office open?`,
    ),
  ],
  async run(context, input) {
    const { prompt, guardrails, embeddings, chatConfiguration: configuration } = input;
    if (!embeddings && !input.contentRetrievers)
      throw new TaskFailed('"embeddings" or "contentRetrievers" must be given.', { retry: false });
    const refused = await findViolation(context, guardrails?.input, prompt);
    if (refused) return refused;
    const embeddingProvider = input.embeddingProvider ?? input.chatProvider;
    const stored = embeddings
      ? await searchStore(
          context,
          { embeddings, embeddingProvider, ...input.contentRetrieverConfiguration },
          prompt,
        )
      : [];
    const found = [...stored, ...(await retrieveAll(context, input.contentRetrievers, prompt))];
    const provider = await createProvider(context, input.chatProvider);
    const outcome = await runAgent(context, { ...input, provider, configuration, found });
    const violation = await findViolation(context, guardrails?.output, outcome.text);
    if (violation) return { ...violation, tokenUsage: outcome.tokenUsage };
    return { completion: outcome.text, ...outputsOf(outcome, configuration), ...sourcesOf(found) };
  },
});
