import { defineTask, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chosenPaths } from './chosenPaths.ts';

export const deleteFiles = defineTask({
  type: 'core.namespace.DeleteFiles',
  title: 'Delete files of a namespace',
  description: 'Deletes every file of the namespace that matches.',
  input: () =>
    z.object({
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
      files: textOrList().describe('Which files, as a glob or a list of globs.'),
    }),
  output: () => z.object({ files: z.array(z.string()).describe('The files that were deleted.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Remove temporary files.',
      runs: true,
      code: `id: clean_files
namespace: company.team

tasks:
  - id: clean
    type: core.namespace.DeleteFiles
    files:
      - "tmp/**"
`,
    },
  ],
  async run(context, { namespace = context.run.namespace, files }) {
    const deleted: string[] = [];
    for (const path of await chosenPaths(context, namespace, files)) {
      if (await context.namespaceFiles.delete(namespace, path)) deleted.push(path);
    }
    return { files: deleted };
  },
});
