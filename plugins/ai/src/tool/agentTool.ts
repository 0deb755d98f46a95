import { defineAdditional, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { agentProperties, runAgent } from '../agent/aiAgent.ts';
import { agentWith } from '../base/example.ts';
import { createProvider } from '../base/modelProvider.ts';
import { providerMetric, toolMetric } from '../base/outputs.ts';
import { objectSchema, toolName, toolPlace } from '../base/tool.ts';
import { retrieveAll } from '../retriever/retriever.ts';

export const agentTool = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.AIAgent',
  title: 'Let the model ask another agent',
  description:
    'Another agent with its own model, tools and instructions. The model gives it a job as a prompt and gets its response.',
  input: () =>
    z.object({
      name: text().default('tool').describe('The name of the tool, for the model.'),
      description: text().describe('What the agent can do, for the model.'),
      ...agentProperties(),
    }),
  raw: ['tools'],
  metrics: [toolMetric, providerMetric],
  examples: [
    agentWith(
      'with_expert',
      'Write a short report about the weather in Paris.',
      `- type: ai.tool.AIAgent
  name: researcher
  description: Finds facts on the web.
  provider:
    type: ai.provider.OpenAI
    modelName: gpt-5-mini
    apiKey: "{{ secret('OPENAI_API_KEY') }}"
  tools:
    - type: ai.tool.TavilyWebSearch
      apiKey: "{{ secret('TAVILY_API_KEY') }}"`,
    ),
  ],
  create: (context, input) => ({
    tools: [
      {
        name: toolName(input.name),
        description: input.description,
        inputSchema: objectSchema({ prompt: { type: 'string', description: 'The job of the agent.' } }),
        execute: async (given: Readonly<Record<string, unknown>>) => {
          const prompt = String(given.prompt);
          const provider = await createProvider(context, input.provider);
          const found = await retrieveAll(context, input.contentRetrievers, prompt);
          const { text: response } = await runAgent(context, {
            ...input,
            provider,
            prompt,
            found,
            maxToolRounds: input.maxSequentialToolsInvocations,
          });
          return response;
        },
      },
    ],
  }),
});
