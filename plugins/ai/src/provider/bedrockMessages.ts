import type {
  JSONValue,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { TaskFailed } from '@millrace/plugin-kit';
import { isMap, type JsonMap, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';

/** Converts a call to the Converse API. */
export function toConverse(options: LanguageModelV3CallOptions): JsonMap {
  const { prompt, tools = [], maxOutputTokens, temperature, topP, topK } = options;
  const system = prompt.flatMap((one) => (one.role === 'system' ? [{ text: one.content }] : []));
  const inferenceConfig = {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
  };
  const schemaText = schemaAdvice(options);
  return {
    ...((system.length > 0 || schemaText) && {
      system: [...system, ...(schemaText ? [{ text: schemaText }] : [])],
    }),
    messages: joinRoles(prompt.flatMap(toMessage)),
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(topK !== undefined && { additionalModelRequestFields: { top_k: topK } }),
    ...(tools.length > 0 && {
      toolConfig: {
        tools: tools.flatMap((tool) =>
          tool.type === 'function'
            ? {
                toolSpec: {
                  name: tool.name,
                  description: tool.description,
                  inputSchema: { json: tool.inputSchema },
                },
              }
            : [],
        ),
      },
    }),
  };
}

/** Converse has no JSON mode, so the prompt requests JSON. */
function schemaAdvice({ responseFormat }: LanguageModelV3CallOptions): string | undefined {
  if (responseFormat?.type !== 'json') return undefined;
  const schema = responseFormat.schema
    ? ` that conforms to this JSON Schema: ${JSON.stringify(responseFormat.schema)}`
    : '';
  return `Respond only with JSON${schema}.`;
}

interface ConverseMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonMap[];
}

function toMessage(message: LanguageModelV3Message): ConverseMessage[] {
  if (message.role === 'system') return [];
  if (message.role === 'tool')
    return [
      {
        role: 'user',
        content: message.content.flatMap((one) =>
          one.type === 'tool-result'
            ? {
                toolResult: {
                  toolUseId: one.toolCallId,
                  content: [{ text: 'value' in one.output ? textOfResult(one.output.value) : '' }],
                },
              }
            : [],
        ),
      },
    ];
  const content = message.content.flatMap((one): JsonMap[] => {
    if (one.type === 'text') return one.text === '' ? [] : [{ text: one.text }];
    if (one.type === 'tool-call')
      return [{ toolUse: { toolUseId: one.toolCallId, name: one.toolName, input: one.input } }];
    return one.type === 'file' ? [toFile(one.mediaType, one.data)] : [];
  });
  return [{ role: message.role, content }];
}

const textOfResult = (value: JSONValue | readonly object[]): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function toFile(mediaType: string, data: Uint8Array | string | URL): JsonMap {
  if (!(data instanceof Uint8Array))
    throw new TaskFailed('Amazon Bedrock takes files only as bytes.', { retry: false });
  const bytes = Buffer.from(data).toString('base64');
  const format = mediaType.split('/')[1] ?? '';
  return mediaType === 'application/pdf'
    ? { document: { format: 'pdf', name: 'document', source: { bytes } } }
    : { image: { format, source: { bytes } } };
}

/** Converse rejects two consecutive messages of the same role, so these are merged. */
function joinRoles(messages: readonly ConverseMessage[]): ConverseMessage[] {
  const joined: ConverseMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role)
      joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
    else joined.push(message);
  }
  return joined;
}

const reasons: Readonly<Record<string, LanguageModelV3FinishReason['unified']>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
};

/** Converts a Converse API response to the AI SDK's form. */
export function fromConverse(body: JsonMap): LanguageModelV3GenerateResult {
  const usage = mapIn(body.usage);
  const raw = textIn(body.stopReason);
  const content = mapsIn(mapIn(mapIn(body.output).message).content).flatMap(toContent);
  return {
    content,
    finishReason: { unified: reasons[raw] ?? 'other', raw },
    usage: {
      inputTokens: {
        total: numberIn(usage.inputTokens),
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: numberIn(usage.outputTokens), text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

function toContent(block: JsonMap): LanguageModelV3Content[] {
  if (typeof block.text === 'string') return [{ type: 'text', text: block.text }];
  if (!isMap(block.toolUse)) return [];
  const { toolUseId, name, input } = block.toolUse;
  return [
    {
      type: 'tool-call',
      toolCallId: textIn(toolUseId),
      toolName: textIn(name),
      input: JSON.stringify(input ?? {}),
    },
  ];
}
