import {
  collectOutputFiles,
  defineTask,
  integer,
  outputFiles,
  type Properties,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { folderVariables } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { type ChatConfiguration, chatConfiguration } from '../base/chatConfiguration.ts';
import { converse, type Outcome, outputsOf, systemMessages, userMessage } from '../base/converse.ts';
import { oneTask, openAI } from '../base/example.ts';
import { findViolation, guardrailsProperty } from '../base/guardrails.ts';
import { createProvider, type ModelProvider, providerProperty } from '../base/modelProvider.ts';
import { observabilityProperty, observe } from '../base/observability.ts';
import { aiOutput, providerMetric, tokenMetrics, toolMetric } from '../base/outputs.ts';
import { toolsProperty, withTools } from '../base/tool.ts';
import { memoryProperty, withMemory } from '../memory/memory.ts';
import { type Found, retrieveAll, retrieversProperty, sourcesOf, withFound } from '../retriever/retriever.ts';

export const agentProperties = () => ({
  systemMessage: text().optional().describe('Instructions for the agent.'),
  provider: providerProperty(),
  configuration: chatConfiguration(),
  tools: toolsProperty(),
  maxSequentialToolsInvocations: integer({ min: 0 })
    .optional()
    .describe('How often in a row the model may ask for tools before the task fails; 100 when absent.'),
  maxTotalTokens: integer({ min: 1 })
    .optional()
    .describe(
      'The most tokens, sent and generated, that the agent may use in all requests together. The task fails when it needs another request after that. Agents that are its tools have separate limits.',
    ),
  contentRetrievers: retrieversProperty(),
});

export const aiAgent = defineTask({
  type: 'ai.agent.AIAgent',
  title: 'Let an AI agent do a job',
  description: `Gives a model a job and tools to do it. The model decides which tools to call and in which order; every call and its
result stand in the log and in \`toolExecutions\`. Limit an agent with \`maxSequentialToolsInvocations\`,
\`maxTotalTokens\`, \`configuration.maxToken\` and \`timeout\`. A tool that fails fails the task.`,
  input: () =>
    z.object({
      ...agentProperties(),
      prompt: text().describe('The job.'),
      memory: memoryProperty(),
      observability: observabilityProperty(),
      guardrails: guardrailsProperty(),
      outputFiles: outputFiles().optional(),
    }),
  output: () => z.object(aiOutput()),
  raw: ['tools', 'guardrails'],
  renderWith: folderVariables,
  metrics: [...tokenMetrics, toolMetric, providerMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'agent_with_flow',
      'ai.agent.AIAgent',
      'An agent that may start a flow.',
      `${openAI()}
systemMessage: You are the operator of a data platform.
prompt: Load the orders of yesterday, then tell me how many there were.
tools:
  - type: ai.tool.KestraFlow
    namespace: company.team
    flowId: load_orders
maxSequentialToolsInvocations: 5
maxTotalTokens: 50000
timeout: PT10M`,
    ),
    oneTask(
      'agent_with_web_search',
      'ai.agent.AIAgent',
      'An agent that searches the web and remembers the conversation.',
      `${openAI()}
prompt: What is new in PostgreSQL?
tools:
  - type: ai.tool.TavilyWebSearch
    apiKey: "{{ secret('TAVILY_API_KEY') }}"
memory:
  type: ai.memory.KestraKVStore`,
    ),
  ],
  async run(context, input) {
    const { prompt, guardrails } = input;
    const refused = await findViolation(context, guardrails?.input, prompt);
    if (refused) return refused;
    const provider = await createProvider(context, input.provider);
    const found = await retrieveAll(context, input.contentRetrievers, prompt);
    const outcome = await observe(
      context,
      input.observability,
      { provider, prompt, systemMessage: input.systemMessage },
      () =>
        runAgent(context, { ...input, provider, found, maxToolRounds: input.maxSequentialToolsInvocations }),
    );
    const files = input.outputFiles
      ? await collectOutputFiles(context, await context.workingDirectory(), input.outputFiles)
      : undefined;
    const more = { ...(files && { outputFiles: files }), ...sourcesOf(found) };
    const violation = await findViolation(context, guardrails?.output, outcome.text);
    if (violation) return { ...violation, ...more, tokenUsage: outcome.tokenUsage };
    return { ...outputsOf(outcome, input.configuration), ...more };
  },
});

export interface AgentRun {
  readonly provider: ModelProvider;
  readonly configuration: ChatConfiguration;
  readonly systemMessage?: string | undefined;
  readonly prompt: string;
  readonly found: readonly Found[];
  readonly tools?: unknown;
  readonly maxToolRounds?: number | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly memory?: Properties | undefined;
}

/** Runs one conversation of an agent with its memory, the retrieved content and its tools. */
export function runAgent(context: TaskContext, agent: AgentRun): Promise<Outcome> {
  const { provider, configuration, prompt, found, maxToolRounds, maxTotalTokens } = agent;
  const asked = userMessage(prompt);
  return withTools(context, agent.tools, (tools) =>
    withMemory(context, agent.memory, asked, (history) =>
      converse(context, {
        provider,
        configuration,
        tools,
        maxToolRounds,
        maxTotalTokens,
        messages: [...systemMessages(agent.systemMessage), ...history, userMessage(withFound(prompt, found))],
      }),
    ),
  );
}
