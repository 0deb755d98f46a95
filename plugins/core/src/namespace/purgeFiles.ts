import { defineTask, lineIcon, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { chosenPaths } from './chosenPaths.ts';
import { chooseNamespaces, namespaceChoice } from './namespaceChoice.ts';

export const purgeFiles = defineTask({
  type: 'core.namespace.PurgeFiles',
  title: 'Delete files of several namespaces',
  description: 'Deletes every file that matches, of one or of many namespaces at once.',
  icon: lineIcon('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  input: () =>
    z.object({
      ...namespaceChoice,
      filePattern: text().default('**').describe('Only files that match this glob.'),
    }),
  output: () => z.object({ size: z.number().describe('How many files were deleted.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Every night, delete the temporary files of all teams.',
      runs: true,
      code: `id: purge_files
namespace: system

tasks:
  - id: purge
    type: core.namespace.PurgeFiles
    namespacePattern: "company.*"
    filePattern: "tmp/**"

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "30 3 * * *"
`,
    },
  ],
  async run(context, { filePattern, ...choice }) {
    let size = 0;
    for (const namespace of await chooseNamespaces(context, choice)) {
      for (const path of await chosenPaths(context, namespace, [filePattern])) {
        if (await context.namespaceFiles.delete(namespace, path)) size += 1;
      }
    }
    return { size };
  },
});
