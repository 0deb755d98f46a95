import { defineTask, flag, nameOfUri, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { httpProperties } from './httpProperties.ts';
import { sendRequest } from './sendRequest.ts';

export const download = defineTask({
  type: 'core.http.Download',
  title: 'Download a file',
  description: 'Stores the answer of an HTTP request in internal storage, whatever its size.',
  aliases: ['io.kestra.plugin.fs.http.Download'],
  input: () =>
    z.object({
      ...httpProperties,
      failOnEmptyResponse: flag().default(true).describe('An empty answer fails the task.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file in internal storage.'),
      code: z.number().describe('The status.'),
      length: z.number().describe('How many bytes the file has.'),
      headers: z.record(z.string(), z.array(z.string())).describe('The headers of the answer.'),
    }),
  metrics: [
    {
      name: 'response.length',
      type: 'counter',
      unit: 'bytes',
      description: 'How many bytes were downloaded.',
    },
  ],
  sideEffects: true,
  examples: [
    {
      title: 'Download a file and look at its size.',
      runs: false,
      code: `id: get_file
namespace: company.team

tasks:
  - id: get
    type: core.http.Download
    uri: https://example.com/rates.csv

  - id: show
    type: core.log.Log
    message: "{{ outputs.get.length }} bytes in {{ outputs.get.uri }}"
`,
    },
  ],
  async run(context, { failOnEmptyResponse, ...input }) {
    const response = await sendRequest(context, input);
    let length = 0;
    async function* counted(): AsyncIterable<Uint8Array> {
      for await (const chunk of response.body) {
        length += chunk.length;
        yield chunk;
      }
      checkLength(response.headers, length);
      if (length === 0 && failOnEmptyResponse) throw new TaskFailed(`The answer of ${input.uri} is empty.`);
    }
    const uri = await context.files.put(nameOfUri(new URL(response.url).pathname), counted());
    context.metric({ name: 'response.length', type: 'counter', value: length });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, values]) => [name, [...values]]),
    );
    return { uri, code: response.status, length, headers };
  },
});

/** Rejects a truncated file. A compressed response is longer than its header says, so it is not checked. */
function checkLength(headers: Readonly<Record<string, readonly string[]>>, length: number): void {
  const said = Number(headers['content-length']?.[0] ?? Number.NaN);
  if (Number.isNaN(said) || headers['content-encoding'] !== undefined || said === length) return;
  throw new TaskFailed(`The answer should have ${said} bytes but has ${length}.`);
}
