import type { TaskContext } from '@millrace/plugin-kit';
import { defineTask, messageOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';

const host = text()
  .default('http://localhost:12434')
  .describe('The address of Docker Model Runner, as the worker reaches it.');
const model = text().describe('The model, such as `ai/smollm2`.');

const example = (title: string, id: string, type: string, properties: string) => ({
  title,
  runs: false,
  code: `id: ${id}
namespace: company.team

tasks:
  - id: ${type.toLowerCase()}
    type: docker.model.${type}
${properties}`,
});

const config = z
  .object({
    format: z.string().optional().describe('The format of the file.'),
    quantization: z.string().optional().describe('How its weights are stored.'),
    parameters: z.string().optional().describe('How many parameters it has.'),
    architecture: z.string().optional().describe('The architecture of the model.'),
    size: z.string().optional().describe('The size of the file.'),
  })
  .describe('The properties of the model.');

export const modelList = defineTask({
  type: 'docker.model.List',
  title: 'List local AI models',
  description: 'Lists the models that Docker Model Runner has.',
  input: () => z.object({ host }),
  output: z.object({
    models: z
      .array(
        z.object({
          id: z.string().describe('The id of the model.'),
          tags: z.array(z.string()).describe('The names of the model.'),
          created: z.number().optional().describe('When it was made, in seconds since 1970.'),
          config: config.optional(),
        }),
      )
      .describe('The models.'),
  }),
  sideEffects: true,
  examples: [example('List the models.', 'docker_models', 'List', '    host: http://localhost:12434\n')],
  run: async (context, input) => {
    const found: unknown = JSON.parse(await call(context, input.host, 'GET', 'models'));
    return { models: z.array(ModelInfo).parse(found ?? []) };
  },
});

const textIn = z.coerce.string().optional();
const ModelInfo = z.object({
  id: z.string(),
  tags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
  created: z.number().optional(),
  config: z
    .object({ format: textIn, quantization: textIn, parameters: textIn, architecture: textIn, size: textIn })
    .optional(),
});

export const modelPull = defineTask({
  type: 'docker.model.Pull',
  title: 'Pull an AI model',
  description: 'Pulls a model to Docker Model Runner and waits until it is there.',
  input: () => z.object({ model, host }),
  output: z.object({}),
  sideEffects: true,
  examples: [example('Pull a small model.', 'docker_model_pull', 'Pull', '    model: ai/smollm2\n')],
  run: async (context, input) => {
    const said = await call(context, input.host, 'POST', 'models/create', { from: input.model });
    // The status is sent before the download, so that only the text reports a failure.
    const problem = said.split('\n').find((line) => /^\s*(\{.*"type"\s*:\s*"error"|error[:\s])/i.test(line));
    if (problem !== undefined)
      throw new TaskFailed(`The model "${input.model}" could not be pulled: ${problem.trim()}`);
    return {};
  },
});

export const modelDelete = defineTask({
  type: 'docker.model.Delete',
  title: 'Delete an AI model',
  description: 'Deletes a model of Docker Model Runner.',
  input: () => z.object({ model, host }),
  output: z.object({}),
  sideEffects: true,
  examples: [example('Delete a model.', 'docker_model_delete', 'Delete', '    model: ai/smollm2\n')],
  run: async (context, input) => {
    const path = input.model.split('/').map(encodeURIComponent).join('/');
    await call(context, input.host, 'DELETE', `models/${path}`);
    return {};
  },
});

async function call(
  context: TaskContext,
  address: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<string> {
  const url = `${address.replace(/\/+$/, '')}/${path}`;
  const chunks: Uint8Array[] = [];
  try {
    const response = await context.fetch({
      url,
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      signal: context.signal,
    });
    for await (const chunk of response.body) chunks.push(chunk);
    const said = Buffer.concat(chunks).toString('utf8');
    if (response.status < 300) return said;
    throw new TaskFailed(
      `Docker Model Runner responded with status ${response.status}: ${said.slice(0, 500)}`,
      {
        retry: response.status >= 500,
      },
    );
  } catch (error) {
    if (context.signal.aborted || error instanceof TaskFailed) throw error;
    throw new TaskFailed(`Docker Model Runner could not be reached: ${messageOf(error)}`);
  }
}
