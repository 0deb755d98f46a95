import { defineTask, flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { keyProperty } from './keyProperty.ts';

export const kvGet = defineTask({
  type: 'core.kv.Get',
  title: 'Get a value of the key-value store',
  description:
    'Without a namespace, the namespace of the flow and then those above it are searched. `{{ kv("key") }}` does the same in an expression.',
  input: () =>
    z.object({
      key: keyProperty(),
      namespace: text().optional().describe('The namespace.'),
      errorOnMissing: flag().default(false).describe('Fail when there is no such key.'),
    }),
  output: () =>
    z.object({ value: z.unknown().describe('The value, with its type; null when there is none.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Read a value and use it.',
      runs: true,
      code: `id: read_value
namespace: company.team

tasks:
  - id: get
    type: core.kv.Get
    key: last_run

  - id: show
    type: core.log.Log
    message: "Last run: {{ outputs.get.value }}"
`,
    },
  ],
  async run(context, { key, namespace, errorOnMissing }) {
    const value = await context.kv.get(key, namespace);
    if (value === undefined && errorOnMissing) {
      throw new TaskFailed(
        `No value found for the key "${key}" in the namespace "${namespace ?? context.run.namespace}".`,
      );
    }
    return { value: value ?? null };
  },
});
