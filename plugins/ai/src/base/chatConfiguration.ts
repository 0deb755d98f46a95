import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import {
  anything,
  choice,
  decimal,
  flag,
  integer,
  mapOf,
  part,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { z } from 'zod';

export const chatConfiguration = () =>
  part({
    temperature: decimal().optional().describe('How freely the model chooses; 0 is the most predictable.'),
    topK: integer({ min: 1 })
      .optional()
      .describe('Choose among this number of tokens. Only some services know it.'),
    topP: decimal().optional().describe('Choose among tokens of this total probability, from 0 to 1.'),
    seed: integer().optional().describe('Makes responses repeatable, where the service supports it.'),
    logRequests: flag().optional().describe('Log each request to the model.'),
    logResponses: flag()
      .optional()
      .describe(
        'Log each response of the model; at the level DEBUG also its lines while they arrive, where the provider streams.',
      ),
    responseFormat: part({
      type: choice(['TEXT', 'JSON'])
        .default('TEXT')
        .describe('Text, or JSON that is returned as `jsonOutput`.'),
      jsonSchema: mapOf(anything()).optional().describe('The JSON Schema of the response.'),
      jsonSchemaDescription: text().optional().describe('What the response is, for the model.'),
      strictJson: flag()
        .default(false)
        .describe(
          'Ask the service to enforce the schema. The schema must then list every property as required.',
        ),
    })
      .optional()
      .describe('The format of the response.'),
    thinkingEnabled: flag().optional().describe('Let the model think before it responds.'),
    thinkingBudgetTokens: integer({ min: 0 }).optional().describe('The most tokens to think with.'),
    returnThinking: flag().optional().describe('Return what the model thought as `thinking`.'),
    maxToken: integer({ min: 1 }).optional().describe('The most tokens of a response.'),
    promptCaching: flag()
      .optional()
      .describe('Ask the service to cache the beginning of the prompt. Most services do it by themselves.'),
  })
    .prefault({})
    .describe('How the model responds.');

export type ChatConfiguration = z.infer<ReturnType<typeof chatConfiguration>>;

/** What a provider adds to the options of a call. */
interface ProviderOptions {
  readonly maxTokens?: number | undefined;
  options?(configuration: ChatConfiguration): LanguageModelV3CallOptions['providerOptions'];
}

/** The configuration as the options of a call. */
export function callOptions(
  configuration: ChatConfiguration,
  provider: ProviderOptions,
): Omit<LanguageModelV3CallOptions, 'prompt'> {
  const { temperature, topK, topP, seed, responseFormat } = configuration;
  const maxOutputTokens = configuration.maxToken ?? provider.maxTokens;
  const providerOptions = provider.options?.(configuration);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topK !== undefined && { topK }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(responseFormat?.type === 'JSON' && { responseFormat: jsonFormat(responseFormat) }),
    ...(providerOptions && { providerOptions }),
  };
}

type ResponseFormat = NonNullable<ChatConfiguration['responseFormat']>;

function jsonFormat({ jsonSchema, jsonSchemaDescription }: ResponseFormat) {
  return {
    type: 'json' as const,
    name: 'response',
    ...(jsonSchema && { schema: jsonSchema }),
    ...(jsonSchemaDescription !== undefined && { description: jsonSchemaDescription }),
  };
}

export const wantsJson = ({ responseFormat }: ChatConfiguration): boolean => responseFormat?.type === 'JSON';

/** The JSON in a response; some models put it between the marks of a code block. */
export function readJsonResponse(response: string): unknown {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(response);
  try {
    return JSON.parse(fenced?.[1] ?? response);
  } catch {
    throw new TaskFailed(`The model did not respond with JSON: ${response.slice(0, 500)}`);
  }
}
