import { defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const write = defineTask({
  type: 'core.storage.Write',
  title: 'Write a text to a file',
  description: 'Stores a text in internal storage.',
  input: () =>
    z.object({
      content: text().describe('The text.'),
      extension: text().default('.txt').describe('How the name of the file ends.'),
    }),
  output: () => z.object({ uri: z.string().describe('The file.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Write a file and read it again.',
      runs: true,
      code: `id: write
namespace: company.team

tasks:
  - id: write
    type: core.storage.Write
    content: |
      id,name
      1,{{ flow.id }}
    extension: .csv

  - id: show
    type: core.log.Log
    message: "{{ read(outputs.write.uri) }}"
`,
    },
  ],
  async run(context, { content, extension }) {
    const ending = extension.startsWith('.') || extension === '' ? extension : `.${extension}`;
    return { uri: await context.files.put(`content${ending}`, content) };
  },
});
