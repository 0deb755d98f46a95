import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { type Properties, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { type ContentBlock, contentBlocks, toMessagePart } from '../base/content.ts';

export const promptProperties = () => ({
  prompt: text().optional().describe('The text to work on.'),
  contentBlocks: contentBlocks(),
});

/** A rule: there must be something to work on. */
export const checkPrompt = ({ prompt, contentBlocks: blocks }: Properties) =>
  prompt === undefined && blocks === undefined
    ? [{ severity: 'error' as const, path: 'prompt', message: '"prompt" or "contentBlocks" must be given' }]
    : [];

interface Prompt {
  readonly prompt?: string | undefined;
  readonly contentBlocks?: readonly ContentBlock[] | undefined;
}

/** The prompt and its blocks as one message of the user. */
export async function promptMessage(
  context: TaskContext,
  { prompt, contentBlocks: blocks = [] }: Prompt,
): Promise<LanguageModelV3Message> {
  if (prompt === undefined && blocks.length === 0)
    throw new TaskFailed('"prompt" or "contentBlocks" must be given.', { retry: false });
  const parts = await Promise.all(blocks.map((block) => toMessagePart(context, block)));
  return {
    role: 'user',
    content: [...(prompt === undefined ? [] : [{ type: 'text' as const, text: prompt }]), ...parts],
  };
}
