import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { MetricInfo, TaskContext } from '@millrace/plugin-kit';
import { z } from 'zod';

export interface TokenUsage {
  readonly inputTokenCount: number;
  readonly outputTokenCount: number;
  readonly totalTokenCount: number;
}

export const noTokens: TokenUsage = { inputTokenCount: 0, outputTokenCount: 0, totalTokenCount: 0 };

export function tokensOf({ inputTokens, outputTokens }: LanguageModelV3Usage): TokenUsage {
  const inputTokenCount = inputTokens.total ?? 0;
  const outputTokenCount = outputTokens.total ?? 0;
  return { inputTokenCount, outputTokenCount, totalTokenCount: inputTokenCount + outputTokenCount };
}

export const addTokens = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokenCount: a.inputTokenCount + b.inputTokenCount,
  outputTokenCount: a.outputTokenCount + b.outputTokenCount,
  totalTokenCount: a.totalTokenCount + b.totalTokenCount,
});

const finishReasons = ['STOP', 'LENGTH', 'TOOL_EXECUTION', 'CONTENT_FILTER', 'OTHER'] as const;
export type FinishReason = (typeof finishReasons)[number];

const unified: Readonly<Record<LanguageModelV3FinishReason['unified'], FinishReason>> = {
  stop: 'STOP',
  length: 'LENGTH',
  'tool-calls': 'TOOL_EXECUTION',
  'content-filter': 'CONTENT_FILTER',
  error: 'OTHER',
  other: 'OTHER',
};

export const finishReasonOf = (reason: LanguageModelV3FinishReason): FinishReason => unified[reason.unified];

export const usageOutput = () => ({
  tokenUsage: z
    .object({
      inputTokenCount: z.number().describe('Tokens that were sent.'),
      outputTokenCount: z.number().describe('Tokens that were generated.'),
      totalTokenCount: z.number().describe('The sum of both.'),
    })
    .optional()
    .describe('The tokens that were used.'),
  finishReason: z.enum(finishReasons).optional().describe('Why the model stopped.'),
});

export const guardrailOutput = () => ({
  guardrailViolated: z.boolean().optional().describe('Whether a guardrail rule did not hold.'),
  guardrailViolationMessage: z
    .string()
    .optional()
    .describe('The message of the first rule that did not hold.'),
});

const map = () => z.record(z.string(), z.unknown());

/** The outputs of every task that converses with a model. */
export const aiOutput = () => ({
  textOutput: z.string().optional().describe('The response as text.'),
  jsonOutput: z.unknown().optional().describe('The response, when its format is JSON.'),
  ...usageOutput(),
  toolExecutions: z
    .array(
      z.object({
        requestId: z.string().describe('The id of the call.'),
        requestName: z.string().describe('The tool.'),
        requestArguments: map().describe('What the model gave the tool.'),
        result: z.string().describe('What the tool returned.'),
      }),
    )
    .optional()
    .describe('The tools that were called, in their order.'),
  intermediateResponses: z
    .array(
      z.object({
        id: z.string().optional().describe('The id of the response.'),
        completion: z.string().optional().describe('The text of the response.'),
        tokenUsage: usageOutput().tokenUsage,
        finishReason: usageOutput().finishReason,
        toolExecutionRequests: z
          .array(
            z.object({
              id: z.string().describe('The id of the call.'),
              name: z.string().describe('The tool.'),
              arguments: map().describe('What the model gives the tool.'),
            }),
          )
          .optional()
          .describe('The tools that the model asked for.'),
        requestDuration: z.number().optional().describe('How long the request took, in milliseconds.'),
      }),
    )
    .optional()
    .describe('The responses before the last one.'),
  requestDuration: z.number().optional().describe('How long all requests took, in milliseconds.'),
  outputFiles: z
    .record(z.string(), z.string())
    .optional()
    .describe('The collected files and their URIs in internal storage.'),
  thinking: z.string().optional().describe('What the model thought, with `returnThinking`.'),
  sources: z
    .array(
      z.object({
        content: z.string().describe('The text.'),
        metadata: map().optional().describe('Where it came from.'),
      }),
    )
    .optional()
    .describe('The texts that content retrievers found.'),
  ...guardrailOutput(),
});

const counter = (name: string, description: string): MetricInfo => ({ name, type: 'counter', description });

export const tokenMetrics: readonly MetricInfo[] = [
  counter('input.token.count', 'Tokens that were sent.'),
  counter('output.token.count', 'Tokens that were generated.'),
  counter('total.token.count', 'Tokens in total.'),
];
export const providerMetric = counter('ai.provider.calls', 'Calls of a model, by provider.');
export const storeMetric = counter('ai.embedding.store.calls', 'Calls of an embedding store.');
export const toolMetric = counter('ai.agent.tool.calls', 'Calls of a tool, by its name.');

export function countTokens(context: TaskContext, usage: TokenUsage): void {
  context.metric({ name: 'input.token.count', type: 'counter', value: usage.inputTokenCount });
  context.metric({ name: 'output.token.count', type: 'counter', value: usage.outputTokenCount });
  context.metric({ name: 'total.token.count', type: 'counter', value: usage.totalTokenCount });
}

export const countProviderCall = (context: TaskContext, provider: string): void =>
  context.metric({ name: 'ai.provider.calls', type: 'counter', value: 1, tags: { provider } });

export const countStoreCall = (context: TaskContext, store: string): void =>
  context.metric({ name: 'ai.embedding.store.calls', type: 'counter', value: 1, tags: { store } });
