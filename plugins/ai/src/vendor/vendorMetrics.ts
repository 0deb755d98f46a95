import type { MetricInfo, TaskContext } from '@millrace/plugin-kit';
import { type JsonMap, mapIn } from '../base/callJson.ts';

export const counter = (name: string, description: string): MetricInfo => ({
  name,
  type: 'counter',
  description,
});

export const count = (context: TaskContext, name: string, value: unknown): void => {
  if (typeof value === 'number') context.metric({ name, type: 'counter', value });
};

export const usageMetrics: readonly MetricInfo[] = [
  counter('usage.prompt.tokens', 'Tokens that were sent.'),
  counter('usage.completion.tokens', 'Tokens that were generated.'),
  counter('usage.total.tokens', 'Tokens in total.'),
];
export const cachedMetric = counter(
  'usage.prompt.cached_tokens',
  'Tokens of the prompt that came from the cache.',
);

/** Counts the tokens of a response of OpenAI, in either of its two ways to name them. */
export function countUsage(context: TaskContext, usage: JsonMap): void {
  count(context, 'usage.prompt.tokens', usage.prompt_tokens ?? usage.input_tokens);
  count(context, 'usage.completion.tokens', usage.completion_tokens ?? usage.output_tokens);
  count(context, 'usage.total.tokens', usage.total_tokens);
  const details = mapIn(usage.prompt_tokens_details ?? usage.input_tokens_details);
  count(context, 'usage.prompt.cached_tokens', details.cached_tokens);
}
