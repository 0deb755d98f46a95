import { defineTask, listOf, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chatConfiguration, readJsonResponse } from '../base/chatConfiguration.ts';
import { converse, systemMessages } from '../base/converse.ts';
import { oneTask, openAI } from '../base/example.ts';
import { findViolation, guardrailsProperty } from '../base/guardrails.ts';
import { createProvider, providerProperty } from '../base/modelProvider.ts';
import { guardrailOutput, providerMetric, tokenMetrics, usageOutput } from '../base/outputs.ts';
import { checkPrompt, promptMessage, promptProperties } from './promptMessage.ts';

export const jsonStructuredExtraction = defineTask({
  type: 'ai.completion.JSONStructuredExtraction',
  aliases: ['langchain4j.JSONStructuredExtraction', 'langchain4j.completion.JSONStructuredExtraction'],
  title: 'Extract fields from a text as JSON',
  description: `Lets a model find the values of named fields in a text, an image or a PDF. Every field is a text. For other
types use \`ai.completion.ChatCompletion\` with a JSON Schema.`,
  input: () =>
    z.object({
      ...promptProperties(),
      systemMessage: text()
        .default('You are a structured JSON extraction assistant. Always respond with valid JSON.')
        .describe('Instructions for the model.'),
      schemaName: text().describe('What the fields describe, such as `Person`.'),
      jsonFields: listOf(text(), { min: 1 }).describe('The names of the fields.'),
      provider: providerProperty(),
      configuration: chatConfiguration(),
      guardrails: guardrailsProperty(),
    }),
  output: () =>
    z.object({
      schemaName: z.string().optional().describe('What the fields describe.'),
      extractedJson: z.string().optional().describe('The fields as the text of a JSON object.'),
      ...usageOutput(),
      ...guardrailOutput(),
    }),
  raw: ['guardrails'],
  check: checkPrompt,
  metrics: [...tokenMetrics, providerMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'extract_person',
      'ai.completion.JSONStructuredExtraction',
      'Find out who wrote a mail.',
      `${openAI()}
schemaName: Person
jsonFields: [name, city, phone]
prompt: "Hi, I am Ada from London, call me at +44 20 7946 0000."`,
    ),
  ],
  async run(context, input) {
    const { schemaName, jsonFields, guardrails } = input;
    const refused = await findViolation(context, guardrails?.input, input.prompt ?? '');
    if (refused) return refused;
    const provider = await createProvider(context, input.provider);
    const jsonSchema = {
      type: 'object',
      properties: Object.fromEntries(jsonFields.map((field) => [field, { type: 'string' }])),
      required: jsonFields,
      additionalProperties: false,
    };
    const {
      text: response,
      tokenUsage,
      finishReason,
    } = await converse(context, {
      provider,
      configuration: {
        ...input.configuration,
        responseFormat: {
          type: 'JSON',
          jsonSchema,
          jsonSchemaDescription: schemaName,
          strictJson: input.configuration.responseFormat?.strictJson ?? false,
        },
      },
      messages: [
        // The prompt names the fields too, because not every service supports schemas.
        ...systemMessages(
          `${input.systemMessage}\n\nExtract a JSON object "${schemaName}" with these fields: ${jsonFields.join(', ')}.`,
        ),
        await promptMessage(context, input),
      ],
    });
    const violation = await findViolation(context, guardrails?.output, response);
    if (violation) return { ...violation, tokenUsage, finishReason };
    return {
      schemaName,
      extractedJson: JSON.stringify(readJsonResponse(response)),
      tokenUsage,
      finishReason,
    };
  },
});
