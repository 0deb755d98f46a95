import { defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';

export const kvGetKeys = defineTask({
  type: 'core.kv.GetKeys',
  title: 'List keys of the key-value store',
  description: 'Lists the keys of a namespace, in order.',
  input: () =>
    z.object({
      prefix: text().optional().describe('Only keys that begin with this.'),
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
    }),
  output: () => z.object({ keys: z.array(z.string()).describe('The keys.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Do something for each key.',
      runs: true,
      code: `id: each_key
namespace: company.team

tasks:
  - id: keys
    type: core.kv.GetKeys
    prefix: customer_

  - id: each
    type: core.flow.ForEach
    values: "{{ outputs.keys.keys }}"
    tasks:
      - id: show
        type: core.log.Log
        message: "{{ taskrun.value }}"
`,
    },
  ],
  async run(context, { prefix = '', namespace }) {
    const entries = await context.kv.list(namespace ?? context.run.namespace);
    const keys = entries
      .filter(({ key, expired }) => !expired && key.startsWith(prefix))
      .map(({ key }) => key);
    return { keys: keys.sort() };
  },
});
