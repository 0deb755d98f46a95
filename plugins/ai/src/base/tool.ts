import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import { createParts, partsOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';

export const toolPlace = 'ToolProvider';

export type JsonSchemaMap = LanguageModelV3FunctionTool['inputSchema'];
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A function that a model may call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaMap;
  /** Returns the result for the model. Throws when the task must fail. */
  execute(given: ToolArguments): Promise<string>;
}

/** The tools of one entry of `tools`, such as all tools of an MCP server. */
export interface ToolSource {
  readonly tools: readonly Tool[];
  close?(): Promise<void>;
}

export const toolsProperty = () =>
  partsOf(toolPlace).optional().describe('What the model may call while it works on the response.');

/** Opens all tools, runs the work, and always closes the tools. */
export async function withTools<T>(
  context: TaskContext,
  written: unknown,
  work: (tools: readonly Tool[]) => Promise<T>,
): Promise<T> {
  const sources = await createParts<ToolSource>(context, toolPlace, written, { isRendered: false });
  try {
    const tools = sources.flatMap((source) => source.tools);
    const names = new Set<string>();
    for (const { name } of tools) {
      if (names.has(name))
        throw new TaskFailed(`Two tools have the name "${name}"; the model could not tell them apart.`, {
          retry: false,
        });
      names.add(name);
    }
    return await work(tools);
  } finally {
    await Promise.all(sources.map((source) => source.close?.().catch(() => {})));
  }
}

/** A name that every service accepts for a function. */
export const toolName = (...words: readonly string[]): string =>
  words
    .join('_')
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .slice(0, 64);

export const objectSchema = (
  properties: NonNullable<JsonSchemaMap['properties']>,
  required: string[] = Object.keys(properties),
): JsonSchemaMap => ({ type: 'object', properties, required, additionalProperties: false });
