import type { Example } from '@millrace/plugin-kit';

const indent = (lines: string, by: number): string => lines.trim().replace(/^(?=.)/gm, ' '.repeat(by));

/** A flow with one task. */
export const oneTask = (
  id: string,
  type: string,
  title: string,
  properties: string,
  fileInput?: string,
): Example => ({
  title,
  runs: false,
  code: `id: ${id}
namespace: company.team
${fileInput === undefined ? '' : `\ninputs:\n  - id: ${fileInput}\n    type: FILE\n`}
tasks:
  - id: ${id.split('_')[0]}
    type: ${type}
${indent(properties, 4)}
`,
});

/** An example flow that prompts a provider's model. */
export const askProvider = (id: string, type: string, properties: string): Example =>
  oneTask(
    `ask_${id}`,
    'ai.completion.ChatCompletion',
    'Ask a model.',
    `provider:
  type: ${type}
${indent(properties, 2)}
messages:
  - type: USER
    content: What is the capital of France?`,
  );

/** A flow whose agent has a tool. */
export const agentWith = (id: string, prompt: string, tool: string): Example =>
  oneTask(
    `agent_${id}`,
    'ai.agent.AIAgent',
    'Give the tool to an agent.',
    `${openAI()}
prompt: ${prompt}
tools:
${indent(tool, 2)}`,
  );

export const openAI = (property = 'provider', modelName = 'gpt-5-mini'): string => `${property}:
  type: ai.provider.OpenAI
  modelName: ${modelName}
  apiKey: "{{ secret('OPENAI_API_KEY') }}"`;

export const embeddingModel = (property = 'provider'): string => openAI(property, 'text-embedding-3-small');
