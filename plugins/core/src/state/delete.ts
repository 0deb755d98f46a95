import { defineTask, flag, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { stateKey, stateProperties } from './stateKey.ts';

export const stateDelete = defineTask({
  type: 'core.state.Delete',
  title: 'Delete a state',
  description: 'The next execution starts from nothing.',
  aliases: ['io.kestra.core.tasks.states.Delete'],
  input: () =>
    z.object({
      ...stateProperties,
      errorOnMissing: flag().default(false).describe('Fail when there is no such state.'),
    }),
  output: () => z.object({ deleted: z.boolean().describe('False when there was no such state.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Start from nothing next time.',
      runs: true,
      code: `id: delete_state
namespace: company.team

tasks:
  - id: state
    type: core.state.Delete
    name: progress
`,
    },
  ],
  async run(context, input) {
    const deleted = await context.kv.delete(stateKey(context, input), context.run.namespace);
    if (!deleted && input.errorOnMissing) throw new TaskFailed(`There is no state "${input.name}".`);
    return { deleted };
  },
});
