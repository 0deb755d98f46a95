import {
  type Definition,
  deprecated,
  isStorageUri,
  listOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineGcpTask, fileInput, taskExample } from '../google/define.ts';
import { dropMissing, type Json, mapsAt, textAt } from '../google/json.ts';
import { customJob } from './customJob.ts';
import {
  contentOf,
  generate,
  modelProperties,
  predictionOutput,
  predictionsOf,
  ratingsOf,
  tokenMetrics,
} from './generate.ts';

const messages = () =>
  listOf(
    part({
      author: deprecated(text().optional(), 'messages alternate between user and model.'),
      content: text().describe('The text.'),
    }),
  );

const ask = (role: 'user' | 'model', content: string): Json => ({ role, parts: [{ text: content }] });

const chat = defineGcpTask({
  type: 'gcp.vertexai.ChatCompletion',
  title: 'Chat with a Gemini model of Vertex AI',
  description: `Sends the messages of a user to a model and returns its answer. \`history\` holds what was said before: messages of the user and the model in turn.`,
  properties: {
    ...modelProperties,
    context: deprecated(
      text().optional(),
      'put it into the first message. It is sent as the system instruction.',
    ),
    examples: deprecated(
      listOf(
        part({
          input: text().describe('What a user says.'),
          output: text().describe('What the model should say.'),
        }),
      ).optional(),
      'put them into `history`. They are sent before it.',
    ),
    messages: messages().describe('What the user says now.'),
    history: messages().optional().describe('The earlier messages, of user and model alternately.'),
  },
  output: predictionOutput,
  metrics: tokenMetrics,
  examples: [
    taskExample(
      'gcp.vertexai.ChatCompletion',
      'Ask a question.',
      'region: europe-west1\nmodelId: gemini-2.5-flash\nmessages:\n  - content: Who wrote the first program?',
    ),
  ],
  async run(cloud, input, context) {
    const earlier = [
      ...(input.examples ?? []).flatMap((each) => [ask('user', each.input), ask('model', each.output)]),
      ...(input.history ?? []).map(({ content }, index) => ask(index % 2 === 0 ? 'user' : 'model', content)),
    ];
    const body = await generate(cloud, context, input, {
      contents: [...earlier, ...input.messages.map(({ content }) => ask('user', content))],
      ...(input.context !== undefined && { systemInstruction: { parts: [{ text: input.context }] } }),
    });
    return predictionsOf(body);
  },
});

const completion = defineGcpTask({
  type: 'gcp.vertexai.TextCompletion',
  title: 'Ask a Gemini model of Vertex AI',
  description: 'Sends a prompt to a model and returns its answer.',
  properties: { ...modelProperties, prompt: text().describe('The prompt.') },
  output: predictionOutput,
  metrics: tokenMetrics,
  examples: [
    taskExample(
      'gcp.vertexai.TextCompletion',
      'Summarize a text.',
      'region: europe-west1\nmodelId: gemini-2.5-flash\nprompt: "Summarize in one sentence: {{ inputs.text }}"',
      { inputs: '- id: text\n  type: STRING' },
    ),
  ],
  run: async (cloud, input, context) =>
    predictionsOf(await generate(cloud, context, input, { contents: [ask('user', input.prompt)] })),
});

/** A request may have at most 20 MB. */
const maxFileBytes = 14 * 1024 * 1024;

const multimodal = defineGcpTask({
  type: 'gcp.vertexai.MultimodalCompletion',
  title: 'Ask a Gemini model of Vertex AI about files',
  description:
    'Sends texts, images and other files to a model and returns its answer. A file of internal storage is sent with the request, one of Cloud Storage (`gs://…`) by its address.',
  properties: {
    ...modelProperties,
    contents: listOf(
      part({
        mimeType: text().optional().describe('The media type of a file; absent for a text.'),
        content: text().describe('A text, or the address of a file in internal storage or Cloud Storage.'),
      }),
      { min: 1 },
    ).describe('What the model is asked, in order.'),
  },
  output: () =>
    z.object({
      text: z.string().optional().describe('The answer.'),
      safetyRatings: z
        .array(
          z.object({
            category: z.string().optional().describe('The category.'),
            probability: z.string().optional().describe('How likely it is.'),
            blocked: z.boolean().describe('Whether the answer was blocked for it.'),
          }),
        )
        .describe('How safe the answer is.'),
      blocked: z.boolean().describe('Whether the answer was blocked.'),
      finishReason: z.string().optional().describe('Why the answer ended.'),
    }),
  metrics: tokenMetrics,
  examples: [
    taskExample(
      'gcp.vertexai.MultimodalCompletion',
      'Describe an image.',
      'region: europe-west1\nmodelId: gemini-2.5-flash\ncontents:\n  - content: What does this image show?\n  - mimeType: image/jpeg\n    content: "{{ inputs.file }}"',
      { inputs: fileInput },
    ),
  ],
  async run(cloud, input, context) {
    const parts: Json[] = [];
    for (const each of input.contents) parts.push(await toPart(context, each));
    const body = await generate(cloud, context, input, { contents: [{ role: 'user', parts }] });
    const [candidate = {}] = mapsAt(body, 'candidates');
    const safetyRatings = ratingsOf(candidate);
    const finishReason = textAt(candidate, 'finishReason');
    const blocked = finishReason === 'SAFETY' || safetyRatings.some((each) => each.blocked);
    return dropMissing({
      text: blocked ? undefined : contentOf(candidate),
      safetyRatings,
      blocked,
      finishReason,
    });
  },
});

interface Content {
  readonly mimeType?: string | undefined;
  readonly content: string;
}

async function toPart(context: TaskContext, { mimeType, content }: Content): Promise<Json> {
  if (mimeType === undefined) return { text: content };
  if (content.startsWith('gs://')) return { fileData: { mimeType, fileUri: content } };
  if (!isStorageUri(content))
    return mimeType.startsWith('text/') ? { text: content } : { inlineData: { mimeType, data: content } };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await context.files.read(content)) {
    size += chunk.length;
    if (size > maxFileBytes)
      throw new TaskFailed(
        `The file ${content} is larger than 14 MB. Put it into Cloud Storage and give its address.`,
        {
          retry: false,
        },
      );
    chunks.push(chunk);
  }
  return { inlineData: { mimeType, data: Buffer.concat(chunks).toString('base64') } };
}

export const vertexaiTypes: readonly Definition[] = [chat, completion, multimodal, customJob];
