import { defineTask, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';

export const concat = defineTask({
  type: 'core.storage.Concat',
  title: 'Put files together',
  description: 'Writes the content of several files, one after the other, into a new one.',
  aliases: ['io.kestra.core.tasks.storages.Concat'],
  input: () =>
    z.object({
      files: textOrList().describe('The URIs of the files, as a list or as the JSON of one.'),
      separator: text().optional().describe('Written between two files.'),
      extension: text().default('.tmp').describe('How the name of the new file ends.'),
    }),
  output: () => z.object({ uri: z.string().describe('The new file.') }),
  sideEffects: true,
  examples: [
    {
      title: 'One file out of two.',
      runs: true,
      code: `id: concat
namespace: company.team

inputs:
  - id: first
    type: FILE
  - id: second
    type: FILE

tasks:
  - id: both
    type: core.storage.Concat
    extension: .csv
    files:
      - "{{ inputs.first }}"
      - "{{ inputs.second }}"
`,
    },
  ],
  async run(context, { files, separator, extension }) {
    async function* content(): AsyncIterable<Uint8Array> {
      for (const [index, uri] of files.entries()) {
        if (index > 0 && separator) yield Buffer.from(separator);
        yield* await context.files.read(uri);
      }
    }
    return { uri: await context.files.put(`concat${extension}`, content()) };
  },
});
