import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { choice, defineTask, listOf, part, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chatConfiguration } from '../base/chatConfiguration.ts';
import { contentBlocks, toMessagePart } from '../base/content.ts';
import { converse, outputsOf } from '../base/converse.ts';
import { oneTask, openAI } from '../base/example.ts';
import { findViolation, guardrailsProperty } from '../base/guardrails.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { observabilityProperty, observe } from '../base/observability.ts';
import { aiOutput, providerMetric, tokenMetrics, toolMetric } from '../base/outputs.ts';
import { toolsProperty, withTools } from '../base/tool.ts';

const message = () =>
  part({
    type: choice(['SYSTEM', 'AI', 'USER']).describe('Who says it.'),
    content: text().optional().describe('The text.'),
    contentBlocks: contentBlocks(),
  });

type Message = z.infer<ReturnType<typeof message>>;

export const chatCompletion = defineTask({
  type: 'ai.completion.ChatCompletion',
  aliases: ['langchain4j.ChatCompletion', 'langchain4j.completion.ChatCompletion'],
  title: 'Ask a language model',
  description: `Sends a conversation to a language model and returns its response. The last message must be of the user; the
ones before it are what was said earlier. With \`configuration.responseFormat\` the response is JSON.`,
  input: () =>
    z.object({
      messages: listOf(message(), { min: 1 }).describe(
        'The conversation, at most one message of the system.',
      ),
      provider: providerProperty(),
      configuration: chatConfiguration(),
      tools: toolsProperty(),
      guardrails: guardrailsProperty(),
      observability: observabilityProperty(),
    }),
  output: () =>
    z.object({
      aiResponse: z.string().optional().describe('Deprecated: use `textOutput`.'),
      ...aiOutput(),
    }),
  raw: ['tools', 'guardrails'],
  metrics: [...tokenMetrics, toolMetric, providerMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'ask_a_model',
      'ai.completion.ChatCompletion',
      'Ask a model in the role of an expert.',
      `${openAI()}
configuration:
  temperature: 0.2
messages:
  - type: SYSTEM
    content: You answer in one sentence.
  - type: USER
    content: What is data lineage?`,
    ),
    oneTask(
      'extract_as_json',
      'ai.completion.ChatCompletion',
      'Get JSON that follows a schema.',
      `${openAI()}
configuration:
  responseFormat:
    type: JSON
    jsonSchema:
      type: object
      properties:
        city: { type: string }
        country: { type: string }
      required: [city, country]
messages:
  - type: USER
    content: Where is the Eiffel Tower?`,
    ),
  ],
  async run(context, input) {
    const { configuration, guardrails } = input;
    checkMessages(input.messages);
    const asked = input.messages.at(-1)?.content ?? '';
    const refused = await findViolation(context, guardrails?.input, asked);
    if (refused) return refused;
    const provider = await createProvider(context, input.provider);
    const messages = await Promise.all(input.messages.map((one) => toMessage(context, one)));
    const outcome = await withTools(context, input.tools, (tools) =>
      observe(context, input.observability, { provider, prompt: asked }, () =>
        converse(context, { provider, configuration, messages, tools }),
      ),
    );
    const violation = await findViolation(context, guardrails?.output, outcome.text);
    if (violation) return { ...violation, tokenUsage: outcome.tokenUsage };
    return { aiResponse: outcome.text, ...outputsOf(outcome, configuration) };
  },
});

function checkMessages(messages: readonly Message[]): void {
  const systems = messages.filter(({ type }) => type === 'SYSTEM').length;
  if (systems > 1)
    throw new TaskFailed(`"messages" may have one message of type SYSTEM, got ${systems}.`, { retry: false });
  const last = messages.at(-1)?.type;
  if (last !== 'USER')
    throw new TaskFailed(`The last of "messages" must be of type USER, got ${last}.`, { retry: false });
}

async function toMessage(
  context: TaskContext,
  { type, content = '', contentBlocks: blocks = [] }: Message,
): Promise<LanguageModelV3Message> {
  if (type === 'SYSTEM') return { role: 'system', content };
  if (type === 'AI') return { role: 'assistant', content: [{ type: 'text', text: content }] };
  const parts = await Promise.all(blocks.map((block) => toMessagePart(context, block)));
  return {
    role: 'user',
    content: [
      ...(content === '' && parts.length > 0 ? [] : [{ type: 'text' as const, text: content }]),
      ...parts,
    ],
  };
}
