import { defineTask, text, textOrList } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chosenPaths } from './chosenPaths.ts';

export const downloadFiles = defineTask({
  type: 'core.namespace.DownloadFiles',
  title: 'Get files of a namespace',
  description: 'Copies files of a namespace to internal storage, where other tasks can use them.',
  input: () =>
    z.object({
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
      files: textOrList().describe('Which files, as a glob or a list of globs.'),
      destination: text().default('').describe('Put before the names in the output.'),
    }),
  output: () =>
    z.object({ files: z.record(z.string(), z.string()).describe('The URIs by path; paths start with `/`.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Use a file of the namespace in a task.',
      runs: true,
      code: `id: download
namespace: company.team

tasks:
  - id: get
    type: core.namespace.DownloadFiles
    files: "data/*.csv"

  - id: show
    type: core.log.Log
    message: "{{ outputs.get.files }}"
`,
    },
  ],
  async run(context, { namespace = context.run.namespace, files, destination }) {
    const stored: Record<string, string> = {};
    for (const path of await chosenPaths(context, namespace, files)) {
      const name = path.split('/').at(-1) ?? path;
      stored[`/${destination}/${path}`.replace(/\/+/g, '/')] = await context.files.put(
        name,
        await context.namespaceFiles.read(namespace, path),
      );
    }
    return { files: stored };
  },
});
