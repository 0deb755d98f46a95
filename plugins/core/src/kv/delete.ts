import { defineTask, flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { keyProperty } from './keyProperty.ts';

export const kvDelete = defineTask({
  type: 'core.kv.Delete',
  title: 'Delete a key of the key-value store',
  description: 'Deletes one key of a namespace.',
  input: () =>
    z.object({
      key: keyProperty(),
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
      errorOnMissing: flag().default(false).describe('Fail when there is no such key.'),
    }),
  output: () => z.object({ deleted: z.boolean().describe('False when there was no such key.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Forget a value.',
      runs: true,
      code: `id: forget_value
namespace: company.team

tasks:
  - id: delete
    type: core.kv.Delete
    key: last_run
`,
    },
  ],
  async run(context, { key, namespace = context.run.namespace, errorOnMissing }) {
    const deleted = await context.kv.delete(key, namespace);
    if (!deleted && errorOnMissing) {
      throw new TaskFailed(`No value found for the key "${key}" in the namespace "${namespace}".`);
    }
    return { deleted };
  },
});
