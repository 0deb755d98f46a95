import { decimal, integer, part, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { segment } from '../google/client.ts';
import { type Cloud, count, counter } from '../google/define.ts';
import { dropMissing, flagAt, type Json, mapAt, mapsAt, numberAt, textAt } from '../google/json.ts';

const parameterShape = {
  temperature: decimal().default(0.2).describe('How much chance there is: 0 is none.'),
  maxOutputTokens: integer({ min: 1 }).default(128).describe('The length of the answer, in tokens.'),
  topK: integer({ min: 1 })
    .default(40)
    .describe('From how many of the likeliest tokens the next one is chosen.'),
  topP: decimal().default(0.95).describe('Up to which sum of probabilities tokens are considered.'),
};

export const modelProperties = {
  region: text().describe('The region, such as `europe-west1`.'),
  modelId: text().default('gemini-pro').describe('The model, such as `gemini-2.5-flash`.'),
  parameters: part(parameterShape).prefault({}).describe('How the model answers.'),
};

export interface ModelInput {
  readonly region: string;
  readonly modelId: string;
  readonly parameters: z.infer<z.ZodObject<typeof parameterShape>>;
}

export const tokenMetrics = [
  counter('candidate.token.count', 'How many tokens the answer has.'),
  counter('prompt.token.count', 'How many tokens the prompt has.'),
  counter('total.token.count', 'How many tokens there are in all.'),
  counter('serialized.size', 'The length of the response in bytes.'),
];

export const regionUrl = (region: string): string =>
  region === 'global'
    ? 'https://aiplatform.googleapis.com/v1'
    : `https://${segment(region)}-aiplatform.googleapis.com/v1`;

/** Calls a Gemini model of Vertex AI. */
export async function generate(
  { google, project }: Cloud,
  context: TaskContext,
  { region, modelId, parameters }: ModelInput,
  request: Json,
): Promise<Json> {
  const place = `projects/${segment(await project())}/locations/${segment(region)}`;
  const { body } = await google.json({
    url: `${regionUrl(region)}/${place}/publishers/google/models/${segment(modelId)}:generateContent`,
    body: { ...request, generationConfig: parameters },
    idempotent: true,
  });
  const usage = mapAt(body, 'usageMetadata');
  count(context, {
    'candidate.token.count': numberAt(usage, 'candidatesTokenCount') ?? 0,
    'prompt.token.count': numberAt(usage, 'promptTokenCount') ?? 0,
    'total.token.count': numberAt(usage, 'totalTokenCount') ?? 0,
    'serialized.size': Buffer.byteLength(JSON.stringify(body)),
  });
  const blocked = textAt(mapAt(body, 'promptFeedback'), 'blockReason');
  if (blocked !== undefined)
    throw new TaskFailed(`The model refused the prompt: ${blocked}.`, { retry: false });
  return body;
}

/** The text of a candidate. */
export const contentOf = (candidate: Json): string =>
  mapsAt(mapAt(candidate, 'content'), 'parts')
    .map((each) => textAt(each, 'text') ?? '')
    .join('');

export const predictionOutput = () =>
  z.object({
    predictions: z
      .array(
        z.object({
          content: z.string().describe('The answer.'),
          safetyAttributes: z
            .object({
              scores: z.array(z.number()).describe('How likely each category is.'),
              categories: z.array(z.string()).describe('The categories.'),
              blocked: z.boolean().describe('Whether the answer was blocked.'),
            })
            .describe('How safe the answer is.'),
          citationMetadata: z
            .object({
              citations: z
                .array(z.object({ citations: z.array(z.string()).describe('The addresses.') }))
                .describe('The quotations.'),
            })
            .describe('What the answer quotes.'),
        }),
      )
      .describe('The answers.'),
  });

export function predictionsOf(body: Json): z.infer<ReturnType<typeof predictionOutput>> {
  return {
    predictions: mapsAt(body, 'candidates').map((candidate) => {
      const ratings = mapsAt(candidate, 'safetyRatings');
      const citations = mapsAt(mapAt(candidate, 'citationMetadata'), 'citations');
      return {
        content: contentOf(candidate),
        safetyAttributes: {
          scores: ratings.map((each) => numberAt(each, 'probabilityScore') ?? 0),
          categories: ratings.map((each) => textAt(each, 'category') ?? ''),
          blocked: ratings.some((each) => flagAt(each, 'blocked') === true),
        },
        citationMetadata: {
          citations: citations.map((each) => ({
            citations: textAt(each, 'uri') === undefined ? [] : [String(each.uri)],
          })),
        },
      };
    }),
  };
}

export const ratingsOf = (candidate: Json) =>
  mapsAt(candidate, 'safetyRatings').map((each) =>
    dropMissing({
      category: textAt(each, 'category'),
      probability: textAt(each, 'probability'),
      blocked: flagAt(each, 'blocked') ?? false,
    }),
  );
