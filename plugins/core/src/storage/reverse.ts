import { defineTask, readItems, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fromProperty } from './fromProperty.ts';

const maxBytes = 512 * 1024 * 1024;

export const reverse = defineTask({
  type: 'core.storage.Reverse',
  title: 'Turn the lines of a file around',
  description: 'The last line comes first. The file must fit into memory; files over 512 MB are refused.',
  aliases: ['io.kestra.core.tasks.storages.Reverse'],
  input: () =>
    z.object({
      from: fromProperty(),
      separator: text().default('\n').describe('The text that ends a line.'),
      charset: text().default('UTF-8').describe('The encoding of the file.'),
    }),
  output: () => z.object({ uri: z.string().describe('The new file.') }),
  sideEffects: true,
  examples: [
    {
      title: 'The newest line first.',
      runs: true,
      code: `id: reverse
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: turn
    type: core.storage.Reverse
    from: "{{ inputs.file }}"
`,
    },
  ],
  async run(context, { from, separator, charset }) {
    const size = (await context.files.sizeOf(from)) ?? 0;
    if (size > maxBytes)
      throw new TaskFailed(`The file ${from} has ${size} bytes, which is too large.`, { retry: false });
    const lines: string[] = [];
    for await (const line of readItems(await context.files.read(from), separator, charset)) lines.push(line);
    async function* content(): AsyncIterable<Uint8Array> {
      for (const line of lines.reverse()) yield Buffer.from(line + separator);
    }
    return { uri: await context.files.put('reversed.txt', content()) };
  },
});
