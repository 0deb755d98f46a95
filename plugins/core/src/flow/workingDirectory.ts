import {
  branches,
  defineControl,
  duration,
  inputFiles,
  lineIcon,
  listOf,
  namespaceFiles,
  outputFiles,
  part,
  tasks,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const workingDirectory = defineControl({
  type: 'core.flow.WorkingDirectory',
  role: 'flowable',
  title: 'Run tasks in one shared folder',
  description:
    'The children run one after the other on the same worker and see the same files. The folder is removed at the end.',
  aliases: ['io.kestra.core.tasks.flows.WorkingDirectory', 'io.kestra.core.tasks.flows.Worker'],
  icon: lineIcon('M3 6h6l2 2h10v11H3z', 'M8 13h8'),
  input: () =>
    z.object({
      tasks: tasks().describe('The children, run in order; only tasks that a worker runs, no control tasks.'),
      inputFiles: inputFiles().optional(),
      outputFiles: outputFiles().optional(),
      namespaceFiles: namespaceFiles().optional(),
      cache: part({
        patterns: listOf(text(), { min: 1 }).describe('Which files to keep, as globs.'),
        ttl: duration().optional().describe('How long the kept files are good for.'),
      })
        .optional()
        .describe(
          'Files kept for the next execution of the flow, such as installed packages: they are put back into the folder before the first child runs.',
        ),
      ...branches,
    }),
  output: () =>
    z.object({
      outputFiles: z
        .record(z.string(), z.string())
        .optional()
        .describe('The collected files and their URIs.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'One task writes a file, the next one reads it.',
      runs: true,
      code: `id: shared_folder
namespace: company.team

tasks:
  - id: folder
    type: core.flow.WorkingDirectory
    tasks:
      - id: write
        type: scripts.shell.Commands
        commands:
          - echo "Hello" > hello.txt

      - id: read
        type: scripts.shell.Commands
        commands:
          - cat hello.txt
`,
    },
  ],
});
