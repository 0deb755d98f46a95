import {
  choice,
  createGlobMatcher,
  defineTask,
  deprecated,
  flag,
  lineIcon,
  part,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { chooseNamespaces, namespaceChoice } from '../namespace/namespaceChoice.ts';

export const purgeKv = defineTask({
  type: 'core.kv.PurgeKV',
  title: 'Delete keys of the key-value store',
  description: 'Deletes expired keys, or every key that matches, of several namespaces at once.',
  icon: lineIcon('M5 7h14', 'M9 7V4h6v3', 'M7 7l1 13h8l1-13'),
  input: () =>
    z.object({
      ...namespaceChoice,
      keyPattern: text().optional().describe('Only keys that match this glob.'),
      behavior: part({
        type: choice(['key', 'version'])
          .default('key')
          .describe(
            'What is deleted: `key` deletes keys; `version` deletes older values of a key, of which none are kept here.',
          ),
        expiredOnly: flag().default(true).describe('Only keys that have expired.'),
      })
        .optional()
        .describe('Which keys to delete.'),
      expiredOnly: deprecated(flag().optional(), 'use `behavior`.'),
    }),
  output: () => z.object({ size: z.number().describe('How many keys were deleted.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Every night, delete what has expired.',
      runs: true,
      code: `id: purge_kv
namespace: system

tasks:
  - id: purge
    type: core.kv.PurgeKV
    namespaces:
      - company
    behavior:
      type: key
      expiredOnly: true

triggers:
  - id: nightly
    type: core.trigger.Schedule
    cron: "0 3 * * *"
`,
    },
  ],
  async run(context, input) {
    if (input.behavior?.type === 'version') return { size: 0 };
    const expiredOnly = input.behavior?.expiredOnly ?? input.expiredOnly ?? true;
    const matches = createGlobMatcher([input.keyPattern ?? '*']);
    let size = 0;
    for (const namespace of await chooseNamespaces(context, input)) {
      for (const { key, expired } of await context.kv.list(namespace)) {
        if ((expired || !expiredOnly) && matches(key) && (await context.kv.delete(key, namespace))) size += 1;
      }
    }
    return { size };
  },
});
