import {
  collectOutputFiles,
  defineTask,
  inputFiles,
  listOf,
  text,
  writeInputFiles,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const localFiles = defineTask({
  type: 'core.storage.LocalFiles',
  title: 'Make or collect files of a working directory',
  description: 'Replaced by `inputFiles` and `outputFiles` of the tasks themselves.',
  aliases: ['io.kestra.core.tasks.storages.LocalFiles'],
  deprecated: true,
  input: () =>
    z.object({
      inputs: inputFiles().optional(),
      outputs: listOf(text()).default([]).describe('Files to keep, as globs.'),
    }),
  output: () =>
    z.object({
      uris: z.record(z.string(), z.string()).describe('The collected files and their URIs.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'A file for the tasks of a working directory.',
      runs: true,
      code: `id: local_files
namespace: company.team

tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: files
        type: core.storage.LocalFiles
        inputs:
          hello.txt: Hello

      - id: read
        type: scripts.shell.Commands
        commands:
          - cat hello.txt
`,
    },
  ],
  async run(context, { inputs, outputs }) {
    const folder = await context.workingDirectory();
    if (inputs !== undefined) await writeInputFiles(context, folder, inputs);
    return { uris: await collectOutputFiles(context, folder, outputs) };
  },
});
