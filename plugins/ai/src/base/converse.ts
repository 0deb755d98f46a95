/**
 * A conversation with a model that may call tools. Each step sends the whole conversation; when the model
 * calls tools, they run in the requested order and their results start the next step. The conversation ends
 * with the first response without a tool call, or fails when the model exceeds the allowed number of tool
 * rounds.
 */

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider';
import { cutText, messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { createChatCaller } from './callChat.ts';
import { type ChatConfiguration, callOptions, readJsonResponse, wantsJson } from './chatConfiguration.ts';
import { chatModelOf, type ModelProvider } from './modelProvider.ts';
import {
  addTokens,
  countProviderCall,
  countTokens,
  type FinishReason,
  finishReasonOf,
  noTokens,
  type TokenUsage,
  tokensOf,
} from './outputs.ts';
import type { Tool, ToolArguments } from './tool.ts';

/** The limit of rounds of tools when the task sets none. */
export const defaultToolRounds = 100;

export interface Conversation {
  readonly provider: ModelProvider;
  readonly configuration: ChatConfiguration;
  readonly messages: readonly LanguageModelV3Message[];
  readonly tools?: readonly Tool[];
  readonly maxToolRounds?: number | undefined;
  /** No further request is sent once this number of tokens is used. */
  readonly maxTotalTokens?: number | undefined;
}

export interface ToolExecution {
  readonly requestId: string;
  readonly requestName: string;
  readonly requestArguments: ToolArguments;
  readonly result: string;
}

interface IntermediateResponse {
  readonly id?: string;
  readonly completion: string;
  readonly tokenUsage: TokenUsage;
  readonly finishReason: FinishReason;
  readonly toolExecutionRequests: { id: string; name: string; arguments: ToolArguments }[];
  readonly requestDuration: number;
}

export interface Outcome {
  readonly text: string;
  readonly thinking?: string;
  readonly tokenUsage: TokenUsage;
  readonly finishReason: FinishReason;
  readonly toolExecutions: readonly ToolExecution[];
  readonly intermediateResponses: readonly IntermediateResponse[];
  readonly requestDuration: number;
  /** The messages that the conversation added, for the memory. */
  readonly added: readonly LanguageModelV3Message[];
}

export async function converse(context: TaskContext, conversation: Conversation): Promise<Outcome> {
  const { provider, configuration, tools = [], maxToolRounds = defaultToolRounds } = conversation;
  const { maxTotalTokens = Number.POSITIVE_INFINITY } = conversation;
  const call = createChatCaller(context, await chatModelOf(provider), provider);
  const added: LanguageModelV3Message[] = [];
  const toolExecutions: ToolExecution[] = [];
  const intermediateResponses: IntermediateResponse[] = [];
  let tokenUsage = noTokens;
  /** The tokens of a response that has not ended; they cost money also when it breaks off. */
  let unfinished = noTokens;
  let requestDuration = 0;
  try {
    for (let round = 0; ; round++) {
      const startedAt = Date.now();
      const messages = [...conversation.messages, ...added];
      const result = await send(context, conversation, messages, (options) =>
        call({
          options,
          isLogged: configuration.logResponses === true,
          onUsage: (usage) => {
            unfinished = usage;
          },
        }),
      );
      const took = Date.now() - startedAt;
      const used = tokensOf(result.usage);
      tokenUsage = addTokens(tokenUsage, used);
      unfinished = noTokens;
      requestDuration += took;
      const calls = result.content.filter((one) => one.type === 'tool-call' && !one.providerExecuted);
      added.push(assistantMessage(result.content));
      if (calls.length === 0)
        return {
          text: textOf(result.content),
          ...(configuration.returnThinking && { thinking: thinkingOf(result.content) }),
          tokenUsage,
          finishReason: finishReasonOf(result.finishReason),
          toolExecutions,
          intermediateResponses,
          requestDuration,
          added,
        };
      if (round >= maxToolRounds)
        throw new TaskFailed(
          `The model asked for tools more than ${maxToolRounds} times in a row. Raise "maxSequentialToolsInvocations" or make the prompt more precise.`,
          { retry: false },
        );
      const { totalTokenCount } = tokenUsage;
      if (totalTokenCount >= maxTotalTokens)
        throw new TaskFailed(
          `The conversation has used ${totalTokenCount} tokens and is not finished; "maxTotalTokens" allows ${maxTotalTokens}.`,
          { retry: false },
        );
      const requests = calls.map(readCall);
      intermediateResponses.push({
        ...(result.response?.id && { id: result.response.id }),
        completion: textOf(result.content),
        tokenUsage: used,
        finishReason: 'TOOL_EXECUTION',
        toolExecutionRequests: requests,
        requestDuration: took,
      });
      for (const request of requests) toolExecutions.push(await runTool(context, tools, request));
      added.push(toolMessage(toolExecutions.slice(-requests.length)));
    }
  } finally {
    countTokens(context, addTokens(tokenUsage, unfinished));
  }
}

async function send(
  context: TaskContext,
  { provider, configuration, tools = [] }: Conversation,
  prompt: LanguageModelV3Message[],
  call: (options: LanguageModelV3CallOptions) => Promise<LanguageModelV3GenerateResult>,
): Promise<LanguageModelV3GenerateResult> {
  countProviderCall(context, provider.name);
  if (configuration.logRequests)
    await context.log('INFO', `Request to ${provider.name}: ${JSON.stringify(prompt)}`);
  const result = await call({
    prompt: configuration.promptCaching ? withCaching(prompt, provider) : prompt,
    ...callOptions(configuration, provider),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema,
      })),
    }),
    abortSignal: context.signal,
  });
  context.signal.throwIfAborted();
  for (const warning of result.warnings)
    if (warning.type !== 'other')
      await context.log('WARN', `${provider.name} does not support "${warning.feature}".`);
  if (configuration.logResponses)
    await context.log('INFO', `Response of ${provider.name}: ${JSON.stringify(result.content)}`);
  return result;
}

const withCaching = (prompt: LanguageModelV3Message[], { cacheOptions }: ModelProvider) =>
  prompt.map((message) =>
    message.role === 'system' && cacheOptions ? { ...message, providerOptions: cacheOptions } : message,
  );

/** Runs one tool. Logs the call and its result, so that users can follow the agent. */
async function runTool(
  context: TaskContext,
  tools: readonly Tool[],
  { id, name, arguments: given }: ReturnType<typeof readCall>,
): Promise<ToolExecution> {
  const tool = tools.find((one) => one.name === name);
  if (!tool)
    throw new TaskFailed(
      `The model asked for the tool "${name}", which it was not given. Known tools: ${tools.map((one) => one.name).join(', ')}.`,
    );
  await context.log('INFO', `Tool "${name}" called with ${cutText(JSON.stringify(given), 2_000)}`);
  context.metric({ name: 'ai.agent.tool.calls', type: 'counter', value: 1, tags: { tool: name } });
  const result = await orAbort(tool.execute(given), context.signal).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw new TaskFailed(`The tool "${name}" failed: ${messageOf(error)}`, {
      retry: !(error instanceof TaskFailed) || error.retry,
      cause: error,
    });
  });
  await context.log('INFO', `Tool "${name}" returned ${cutText(result, 2_000)}`);
  return { requestId: id, requestName: name, requestArguments: given, result };
}

/** Rejects when the signal is aborted first, so that a killed task does not wait for a tool. */
function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function readCall(call: LanguageModelV3Content) {
  const { toolCallId, toolName, input } = call as LanguageModelV3ToolCall; // filtered by its type
  return { id: toolCallId, name: toolName, arguments: readArguments(input, toolName) };
}

function readArguments(input: string, name: string): ToolArguments {
  try {
    const value: unknown = input.trim() === '' ? {} : JSON.parse(input);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ToolArguments;
  } catch {
    // Reported below, as anything else that is no map.
  }
  throw new TaskFailed(
    `The model called the tool "${name}" with arguments that are no JSON object: ${input.slice(0, 500)}`,
  );
}

const textOf = (content: readonly LanguageModelV3Content[]): string =>
  content.map((one) => (one.type === 'text' ? one.text : '')).join('');

const thinkingOf = (content: readonly LanguageModelV3Content[]): string =>
  content.map((one) => (one.type === 'reasoning' ? one.text : '')).join('');

/** The response as a message of the next request. Signatures of thoughts must travel back to their service. */
function assistantMessage(content: readonly LanguageModelV3Content[]): LanguageModelV3Message {
  return {
    role: 'assistant',
    content: content.flatMap((one) => {
      if (one.type === 'text' || one.type === 'reasoning')
        return {
          type: one.type,
          text: one.text,
          ...(one.providerMetadata && { providerOptions: one.providerMetadata }),
        };
      if (one.type !== 'tool-call') return [];
      const { toolCallId, toolName, input, providerMetadata } = one;
      return {
        type: one.type,
        toolCallId,
        toolName,
        input: readArguments(input, toolName),
        ...(providerMetadata && { providerOptions: providerMetadata }),
      };
    }),
  };
}

const toolMessage = (executions: readonly ToolExecution[]): LanguageModelV3Message => ({
  role: 'tool',
  content: executions.map(({ requestId, requestName, result }) => ({
    type: 'tool-result' as const,
    toolCallId: requestId,
    toolName: requestName,
    output: { type: 'text' as const, value: result },
  })),
});

/** The outputs that tasks with a conversation have in common. */
export function outputsOf(outcome: Outcome, configuration: ChatConfiguration) {
  const { text, added: _, thinking, ...rest } = outcome;
  return {
    ...(wantsJson(configuration) ? { jsonOutput: readJsonResponse(text) } : { textOutput: text }),
    ...rest,
    toolExecutions: [...rest.toolExecutions],
    intermediateResponses: [...rest.intermediateResponses],
    ...(thinking !== undefined && { thinking }),
  };
}

export const userMessage = (text: string): LanguageModelV3Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

export const systemMessages = (text: string | undefined): readonly LanguageModelV3Message[] =>
  text === undefined || text.trim() === '' ? [] : [{ role: 'system', content: text }];
