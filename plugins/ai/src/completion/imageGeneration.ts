import { defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { oneTask, openAI } from '../base/example.ts';
import { storeImage } from '../base/image.ts';
import { createProvider, generateImage, providerProperty } from '../base/modelProvider.ts';
import {
  countProviderCall,
  countTokens,
  noTokens,
  providerMetric,
  tokenMetrics,
  usageOutput,
} from '../base/outputs.ts';

export const imageGeneration = defineTask({
  type: 'ai.completion.ImageGeneration',
  aliases: ['langchain4j.ImageGeneration', 'langchain4j.completion.ImageGeneration'],
  title: 'Generate an image',
  description: `Lets an image model draw a picture. Providers with image models: OpenAI, Azure OpenAI, LocalAI, Google Gemini and
Google Vertex AI. An image that comes as bytes is stored in internal storage.`,
  input: () =>
    z.object({
      prompt: text().describe('What the image shows.'),
      provider: providerProperty(),
    }),
  output: () =>
    z.object({
      imageUrl: z.string().describe('The address of the image, or its URI in internal storage.'),
      ...usageOutput(),
    }),
  metrics: [...tokenMetrics, providerMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'draw_an_image',
      'ai.completion.ImageGeneration',
      'Draw a picture.',
      `${openAI('provider', 'gpt-image-1')}
prompt: A watermill beside a river, as a woodcut`,
    ),
  ],
  async run(context, { prompt, provider: written }) {
    const provider = await createProvider(context, written);
    countProviderCall(context, provider.name);
    const image = await generateImage(provider, prompt);
    // Image models report no tokens.
    countTokens(context, noTokens);
    return {
      imageUrl: await storeImage(context, image),
      tokenUsage: noTokens,
      finishReason: 'STOP' as const,
    };
  },
});
