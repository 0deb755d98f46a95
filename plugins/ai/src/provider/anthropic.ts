import { defineAdditional, integer, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { askProvider } from '../base/example.ts';
import { fetchOf } from '../base/httpFetch.ts';
import { certificatesOf, type ModelProvider, modelPlace, modelProperties } from '../base/modelProvider.ts';
import { loadAnthropic } from '../client.ts';

export const anthropic = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.Anthropic',
  aliases: ['langchain4j.provider.Anthropic'],
  title: 'Models of Anthropic',
  description: 'Chat models of Anthropic (Claude). Anthropic has no embedding models.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: text().describe('The API key.'),
      maxTokens: integer({ min: 1 })
        .optional()
        .describe('The most tokens of a response; the most that the model can do when absent.'),
      baseUrl: text().default('https://api.anthropic.com/v1').describe('The address of the API.'),
    }),
  examples: [
    askProvider(
      'claude',
      'ai.provider.Anthropic',
      `modelName: claude-sonnet-4-5\napiKey: "{{ secret('ANTHROPIC_API_KEY') }}"`,
    ),
  ],
  create: (context, { modelName, apiKey, maxTokens, baseUrl, ...pems }): ModelProvider => {
    context.masker.add(apiKey);
    return {
      name: 'Anthropic',
      modelName,
      maxTokens,
      canStream: true,
      chat: async () => {
        const { createAnthropic } = await loadAnthropic();
        return createAnthropic({
          apiKey,
          baseURL: baseUrl.replace(/\/+$/, ''),
          fetch: fetchOf(context, certificatesOf(pems)),
        })(modelName);
      },
      options: ({ thinkingEnabled, thinkingBudgetTokens = 1024 }) => ({
        anthropic: thinkingEnabled
          ? { thinking: { type: 'enabled', budgetTokens: thinkingBudgetTokens } }
          : {},
      }),
      cacheOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    };
  },
});
