import { setTimeout as delay } from 'node:timers/promises';
import {
  choice,
  defineTask,
  flag,
  integer,
  isStorageUri,
  listOf,
  part,
  readJsonMap,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, dropMissing, isMap, type JsonMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { readBytes } from '../base/content.ts';
import { oneTask } from '../base/example.ts';
import { count, counter } from './vendorMetrics.ts';

const api = 'https://generativelanguage.googleapis.com/v1beta';
const words = 'apiKey: "{{ secret(\'GEMINI_API_KEY\') }}"\nmodel: gemini-2.5-flash';

const common = () => ({
  apiKey: text().describe('The API key.'),
  model: text().describe('The model.'),
});

interface Common {
  readonly apiKey: string;
  readonly model: string;
}

const metrics = [
  counter('candidate.token.count', 'Tokens that were generated.'),
  counter('prompt.token.count', 'Tokens that were sent.'),
  counter('total.token.count', 'Tokens in total.'),
];

async function call(
  context: TaskContext,
  { apiKey }: Common,
  path: string,
  body?: unknown,
): Promise<JsonMap> {
  context.masker.add(apiKey);
  const response = await callJson(context, {
    service: 'Google Gemini',
    url: `${api}/${path}`,
    headers: { 'x-goog-api-key': apiKey },
    readIdleTimeoutMs: 10 * 60_000,
    ...(body !== undefined && { body }),
  });
  return response.body;
}

async function generate(context: TaskContext, input: Common, body: JsonMap): Promise<JsonMap> {
  const response = await call(
    context,
    input,
    `models/${encodeURIComponent(input.model)}:generateContent`,
    body,
  );
  const usage = mapIn(response.usageMetadata);
  count(context, 'candidate.token.count', usage.candidatesTokenCount);
  count(context, 'prompt.token.count', usage.promptTokenCount);
  count(context, 'total.token.count', usage.totalTokenCount);
  return response;
}

const partsOf = (candidate: JsonMap) => mapsIn(mapIn(candidate.content).parts);
const textOfParts = (candidate: JsonMap) =>
  partsOf(candidate)
    .map((one) => textIn(one.text))
    .join('');
const userPart = (content: string) => ({ role: 'user', parts: [{ text: content }] });

const map = () => z.record(z.string(), z.unknown());
const predictionsOutput = () =>
  z.object({
    predictions: z
      .array(
        z.object({
          content: z.string().describe('The text.'),
          safetyRatings: z.array(map()).optional().describe('How harmful the text may be.'),
          citationMetadata: map().optional().describe('What the text cites.'),
        }),
      )
      .describe('The responses.'),
  });

const toPredictions = (response: JsonMap) =>
  mapsIn(response.candidates).map((candidate) => ({
    content: textOfParts(candidate),
    ...(Array.isArray(candidate.safetyRatings) && {
      safetyRatings: mapsIn(candidate.safetyRatings).map((one) => ({ ...one })),
    }),
    ...(isMap(candidate.citationMetadata) && { citationMetadata: { ...candidate.citationMetadata } }),
  }));

const chatCompletion = defineTask({
  type: 'gemini.ChatCompletion',
  title: 'Hold a chat with Gemini',
  description: `Sends the messages of the user one after the other in one chat; messages of type AI are what the model is taken to have
said. Each message of the user gets a prediction.`,
  input: () =>
    z.object({
      ...common(),
      messages: listOf(
        part({
          type: choice(['SYSTEM', 'AI', 'USER']).describe('Who says it.'),
          content: text().describe('The text.'),
        }),
        { min: 1 },
      ).describe('The messages.'),
    }),
  output: predictionsOutput,
  metrics,
  sideEffects: true,
  examples: [
    oneTask(
      'chat_with_gemini',
      'gemini.ChatCompletion',
      'Ask two questions.',
      `${words}
messages:
  - type: SYSTEM
    content: You answer in one sentence.
  - type: USER
    content: What is the capital of France?
  - type: USER
    content: And how many people live there?`,
    ),
  ],
  async run(context, input) {
    const system = input.messages
      .filter(({ type }) => type === 'SYSTEM')
      .map(({ content }) => ({ text: content }));
    const contents: JsonMap[] = [];
    const predictions: ReturnType<typeof toPredictions> = [];
    for (const { type, content } of input.messages) {
      if (type === 'SYSTEM') continue;
      contents.push(type === 'AI' ? { role: 'model', parts: [{ text: content }] } : userPart(content));
      if (type === 'AI') continue;
      const response = await generate(context, input, {
        contents,
        ...(system.length > 0 && { systemInstruction: { parts: system } }),
      });
      predictions.push(...toPredictions(response));
      contents.push({ role: 'model', parts: [{ text: predictions.at(-1)?.content ?? '' }] });
    }
    return { predictions };
  },
});

const textCompletion = defineTask({
  type: 'gemini.TextCompletion',
  title: 'Ask Gemini',
  description: 'Sends one prompt and returns the responses.',
  input: () => z.object({ ...common(), prompt: text().describe('The prompt.') }),
  output: predictionsOutput,
  metrics,
  sideEffects: true,
  examples: [
    oneTask(
      'ask_gemini',
      'gemini.TextCompletion',
      'Ask a question.',
      `${words}\nprompt: What is a watermill?`,
    ),
  ],
  run: async (context, input) => ({
    predictions: toPredictions(await generate(context, input, { contents: [userPart(input.prompt)] })),
  }),
});

const structuredOutput = defineTask({
  type: 'gemini.StructuredOutputCompletion',
  title: 'Get JSON from Gemini',
  description: 'Sends one prompt and returns responses that follow a schema.',
  input: () =>
    z.object({
      ...common(),
      prompt: text().describe('The prompt.'),
      jsonResponseSchema: textOrJson().describe('The schema of the response, in the dialect of Gemini.'),
    }),
  output: () =>
    z.object({ predictions: z.array(z.string()).describe('The responses, as the text of JSON.') }),
  metrics,
  sideEffects: true,
  examples: [
    oneTask(
      'json_from_gemini',
      'gemini.StructuredOutputCompletion',
      'Extract a person.',
      `${words}
prompt: "Ada lives in London."
jsonResponseSchema: |
  {"type": "object", "properties": {"name": {"type": "string"}, "city": {"type": "string"}}}`,
    ),
  ],
  async run(context, input) {
    const response = await generate(context, input, {
      contents: [userPart(input.prompt)],
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: readJsonMap(input.jsonResponseSchema, 'jsonResponseSchema'),
      },
    });
    return { predictions: mapsIn(response.candidates).map(textOfParts) };
  },
});

const multimodal = defineTask({
  type: 'gemini.MultimodalCompletion',
  title: 'Send texts, images and other files to Gemini',
  description:
    'Sends texts and files of internal storage, and returns text and the images that the model draws.',
  input: () =>
    z.object({
      ...common(),
      contents: listOf(
        part({
          mimeType: text().optional().describe('The type of the file; without it `content` is text.'),
          content: text().describe('The text, or the URI of the file in internal storage.'),
          role: text().default('user').describe('`user` or `model`.'),
        }),
        { min: 1 },
      ).describe('The contents.'),
    }),
  output: () =>
    z.object({
      text: z.string().describe('The text of the response.'),
      images: z
        .array(
          z.object({
            mimeType: z.string().describe('The type.'),
            uri: z.string().describe('The file in internal storage.'),
          }),
        )
        .describe('The images of the response.'),
      safetyRatings: z
        .array(
          z.object({
            category: z.string().describe('The kind of harm.'),
            probability: z.string().describe('How likely it is.'),
            blocked: z.boolean().describe('Whether the response was withheld for it.'),
          }),
        )
        .describe('How harmful the response may be.'),
      blocked: z.boolean().describe('Whether the response was withheld.'),
      finishReason: z.string().describe('Why the model stopped.'),
    }),
  metrics,
  sideEffects: true,
  examples: [
    oneTask(
      'describe_image',
      'gemini.MultimodalCompletion',
      'Describe an image.',
      `${words}
contents:
  - content: What is in this picture?
  - mimeType: image/jpeg
    content: "{{ inputs.picture }}"`,
      'picture',
    ),
  ],
  async run(context, input) {
    const contents = await Promise.all(
      input.contents.map(async ({ mimeType, content, role }) => {
        if (mimeType === undefined || !isStorageUri(content)) return { role, parts: [{ text: content }] };
        const data = Buffer.from(await readBytes(context, content)).toString('base64');
        return { role, parts: [{ inlineData: { mimeType, data } }] };
      }),
    );
    const response = await generate(context, input, { contents });
    const [candidate = {}] = mapsIn(response.candidates);
    const images: { mimeType: string; uri: string }[] = [];
    for (const { inlineData } of partsOf(candidate)) {
      if (!isMap(inlineData)) continue;
      const mimeType = textIn(inlineData.mimeType);
      const name = `image${images.length}.${mimeType.split('/')[1] ?? 'bin'}`;
      const uri = await context.files.put(name, Buffer.from(textIn(inlineData.data), 'base64'));
      images.push({ mimeType, uri });
    }
    const safetyRatings = mapsIn(candidate.safetyRatings).map((one) => ({
      category: textIn(one.category),
      probability: textIn(one.probability),
      blocked: one.blocked === true,
    }));
    const isBlocked =
      mapIn(response.promptFeedback).blockReason !== undefined ||
      safetyRatings.some(({ blocked }) => blocked);
    return {
      text: textOfParts(candidate),
      images,
      safetyRatings,
      blocked: isBlocked,
      finishReason: textIn(candidate.finishReason),
    };
  },
});

const pollMs = 5_000;

const videoGeneration = defineTask({
  type: 'gemini.VideoGeneration',
  title: 'Generate a video with Gemini',
  description: `Starts a video model (Veo), waits until the video is there, and stores it in internal storage. \`timeout\` of the task
limits the wait. Vertex AI and its Cloud Storage targets are not supported.`,
  input: () =>
    z.object({
      ...common(),
      prompt: text().describe('What the video shows.'),
      negativePrompt: text().optional().describe('What the video does not show.'),
      durationInSeconds: integer({ min: 1 }).default(10).describe('How long it is.'),
      includeAudio: flag().default(false).describe('Generate sound.'),
      seed: integer().optional().describe('Makes the result repeatable.'),
      numberOfVideos: integer({ min: 1 }).default(1).describe('How many videos; the first one is returned.'),
      vertexAI: flag().default(false).describe('Not supported; use the Gemini API.'),
      outputGcsUri: text().optional().describe('Only for Vertex AI, which is not supported.'),
      project: text().optional().describe('Only for Vertex AI, which is not supported.'),
      location: text().optional().describe('Only for Vertex AI, which is not supported.'),
      downloadFilePath: text().default('video.mp4').describe('The name of the stored file.'),
    }),
  output: () =>
    z.object({
      videoUri: z.string().describe('The file in internal storage.'),
      mimeType: z.string().describe('Its type.'),
      metadata: map().describe('What Gemini says about the operation.'),
    }),
  metrics,
  sideEffects: true,
  examples: [
    oneTask(
      'generate_video',
      'gemini.VideoGeneration',
      'Generate a short video.',
      `apiKey: "{{ secret('GEMINI_API_KEY') }}"
model: veo-3.0-generate-001
prompt: A watermill in the rain
durationInSeconds: 8
timeout: PT10M`,
    ),
  ],
  async run(context, input) {
    if (input.vertexAI)
      throw new TaskFailed('"vertexAI" is not supported; set it to false and use a key of the Gemini API.', {
        retry: false,
      });
    const started = await call(
      context,
      input,
      `models/${encodeURIComponent(input.model)}:predictLongRunning`,
      {
        instances: [{ prompt: input.prompt }],
        parameters: dropMissing({
          negativePrompt: input.negativePrompt,
          durationSeconds: input.durationInSeconds,
          generateAudio: input.includeAudio || undefined,
          seed: input.seed,
          sampleCount: input.numberOfVideos,
        }),
      },
    );
    let operation = started;
    while (operation.done !== true) {
      await delay(pollMs, undefined, { signal: context.signal });
      operation = await call(context, input, textIn(started.name));
    }
    if (isMap(operation.error)) throw new TaskFailed(`Google Gemini: ${textIn(operation.error.message)}`);
    const { generateVideoResponse } = mapIn(operation.response);
    const [sample = {}] = mapsIn(mapIn(generateVideoResponse).generatedSamples);
    const address = textIn(mapIn(sample.video).uri);
    if (address === '')
      throw new TaskFailed('Google Gemini returned no video; the prompt may have been refused.');
    const { body, status } = await context.fetch({
      url: address,
      headers: { 'x-goog-api-key': input.apiKey },
    });
    if (status >= 300) throw new TaskFailed(`The video could not be downloaded: status ${status}.`);
    const videoUri = await context.files.put(input.downloadFilePath.split('/').at(-1) ?? 'video.mp4', body);
    return { videoUri, mimeType: 'video/mp4', metadata: { ...mapIn(operation.metadata) } };
  },
});

export const geminiTasks: readonly TaskDefinition[] = [
  chatCompletion,
  textCompletion,
  structuredOutput,
  multimodal,
  videoGeneration,
];
