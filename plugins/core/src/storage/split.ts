import { defineTask, integer, splitFile, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fromProperty } from './fromProperty.ts';

export const split = defineTask({
  type: 'core.storage.Split',
  title: 'Cut a file into several',
  description:
    'Cuts by number of lines, into a number of files, or by size; one line per file when none is chosen.',
  aliases: ['io.kestra.core.tasks.storages.Split'],
  input: () =>
    z.object({
      from: fromProperty(),
      rows: integer({ min: 1 }).optional().describe('Lines per file.'),
      partitions: integer({ min: 1, max: 10_000 })
        .optional()
        .describe('Deal the lines out to this many files.'),
      bytes: text().optional().describe('The size of a file, for example `10MB`.'),
      separator: text().default('\n').describe('The text that ends a line.'),
    }),
  output: () => z.object({ uris: z.array(z.string()).describe('The files, in order.') }),
  sideEffects: true,
  examples: [
    {
      title: 'A thousand lines per file.',
      runs: true,
      code: `id: split
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: cut
    type: core.storage.Split
    from: "{{ inputs.file }}"
    rows: 1000
`,
    },
  ],
  run: async (context, { from, ...choice }) => ({ uris: await splitFile(context, from, choice) }),
});
