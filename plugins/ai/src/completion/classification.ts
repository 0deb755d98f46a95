import { defineTask, listOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chatConfiguration } from '../base/chatConfiguration.ts';
import { converse, systemMessages } from '../base/converse.ts';
import { oneTask, openAI } from '../base/example.ts';
import { findViolation, guardrailsProperty } from '../base/guardrails.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { guardrailOutput, providerMetric, tokenMetrics, usageOutput } from '../base/outputs.ts';
import { checkPrompt, promptMessage, promptProperties } from './promptMessage.ts';

export const classification = defineTask({
  type: 'ai.completion.Classification',
  aliases: ['langchain4j.Classification', 'langchain4j.completion.Classification'],
  title: 'Classify a text with a model',
  description:
    'Lets a model choose one of the given classes for a text, an image or a PDF. A response that is none of the classes fails the task.',
  input: () =>
    z.object({
      ...promptProperties(),
      systemMessage: text()
        .default(
          'You classify what the user sends. Respond with exactly one of the given classes and nothing else.',
        )
        .describe('Instructions for the model; the classes are added to them.'),
      classes: listOf(text(), { min: 1 }).describe('The classes to choose from.'),
      provider: providerProperty(),
      configuration: chatConfiguration(),
      guardrails: guardrailsProperty(),
    }),
  output: () =>
    z.object({
      classification: z.string().optional().describe('The class.'),
      ...usageOutput(),
      ...guardrailOutput(),
    }),
  raw: ['guardrails'],
  check: checkPrompt,
  metrics: [...tokenMetrics, providerMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'classify_ticket',
      'ai.completion.Classification',
      'Sort a support ticket.',
      `${openAI()}
prompt: "My invoice shows the wrong address."
classes: [billing, technical, sales, other]`,
    ),
  ],
  async run(context, input) {
    const { classes, configuration, guardrails } = input;
    const refused = await findViolation(context, guardrails?.input, input.prompt ?? '');
    if (refused) return refused;
    const provider = await createProvider(context, input.provider);
    const messages = [
      ...systemMessages(`${input.systemMessage}\n\nClasses: ${classes.join(', ')}`),
      await promptMessage(context, input),
    ];
    const {
      text: response,
      tokenUsage,
      finishReason,
    } = await converse(context, {
      provider,
      configuration,
      messages,
    });
    const violation = await findViolation(context, guardrails?.output, response);
    if (violation) return { ...violation, tokenUsage, finishReason };
    return { classification: chooseClass(response, classes), tokenUsage, finishReason };
  },
});

/** The class as the flow spells it, even if the model changed its case or punctuation. */
function chooseClass(response: string, classes: readonly string[]): string {
  const plain = (value: string) =>
    value
      .trim()
      .toLowerCase()
      .replace(/^["'`*]+|["'`*.]+$/g, '');
  const chosen = classes.find((one) => plain(one) === plain(response));
  if (chosen !== undefined) return chosen;
  throw new TaskFailed(
    `The model responded with ${JSON.stringify(response.slice(0, 200))}, which is none of the classes: ${classes.join(', ')}.`,
  );
}
