import type { createAnthropic } from '@ai-sdk/anthropic';
import type { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { importModule } from '@millrace/plugin-kit';

/** The libraries are loaded when a task runs. */
export const loadOpenAICompatible = () =>
  importModule<{ readonly createOpenAICompatible: typeof createOpenAICompatible }>(
    '@ai-sdk/openai-compatible',
  );

export const loadAnthropic = () =>
  importModule<{ readonly createAnthropic: typeof createAnthropic }>('@ai-sdk/anthropic');

export const loadGoogle = () =>
  importModule<{ readonly createGoogleGenerativeAI: typeof createGoogleGenerativeAI }>('@ai-sdk/google');
