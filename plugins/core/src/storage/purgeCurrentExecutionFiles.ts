import { defineTask, lineIcon } from '@millrace/plugin-kit';
import { z } from 'zod';

export const purgeCurrentExecutionFiles = defineTask({
  type: 'core.storage.PurgeCurrentExecutionFiles',
  title: 'Delete the files of this execution',
  description:
    'Deletes every file of internal storage that belongs to this execution: uploaded inputs and outputs of tasks.',
  aliases: ['core.storage.PurgeExecution', 'io.kestra.core.tasks.storages.PurgeExecution'],
  icon: lineIcon('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  input: () => z.object({}),
  output: () => z.object({ uris: z.array(z.string()).describe('The files that were deleted.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Leave nothing behind.',
      runs: true,
      code: `id: leave_nothing
namespace: company.team

tasks:
  - id: write
    type: core.storage.Write
    content: only for a moment

  - id: purge
    type: core.storage.PurgeCurrentExecutionFiles
`,
    },
  ],
  run: async (context) => ({ uris: [...(await context.files.deleteOfExecution())] }),
});
