import { type KvType, kvTypes } from '@millrace/contract';
import { choice, defineTask, duration, flag, lineIcon, someValue, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { keyProperty } from './keyProperty.ts';
import { guessKvType, toKvValue } from './kvValue.ts';

export const kvSet = defineTask({
  type: 'core.kv.Set',
  title: 'Set a key of the key-value store',
  description:
    'Values live in a namespace and outlast executions. An expression keeps its type: a map is stored as a map.',
  icon: lineIcon('M8 12a4 4 0 1 0-4 0 4 4 0 0 0 4 0', 'M10 12h11', 'M18 12v4', 'M14 12v3'),
  input: () =>
    z.object({
      key: keyProperty(),
      value: someValue().describe('The value: any text, number, list or map.'),
      namespace: text().optional().describe('The namespace; of the flow when absent.'),
      overwrite: flag().default(true).describe('Replace a value that is there; fail otherwise.'),
      ttl: duration().optional().describe('The value is forgotten after this long.'),
      kvType: choice(kvTypes).optional().describe('Turn a text into this type.'),
      kvDescription: text().optional().describe('What the value is for.'),
    }),
  output: () => z.object({}),
  sideEffects: true,
  raw: ['value'],
  examples: [
    {
      title: 'Remember when the flow last ran.',
      runs: true,
      code: `id: remember_date
namespace: company.team

tasks:
  - id: set
    type: core.kv.Set
    key: last_run
    value: "{{ execution.startDate }}"
    kvType: DATETIME
    ttl: P30D
`,
    },
  ],
  async run(context, { key, value, namespace, overwrite, ttl, kvType, kvDescription }) {
    const rendered = await context.renderTyped(value);
    const type: KvType = kvType ?? guessKvType(rendered);
    await context.kv.set(key, toKvValue(rendered, type), {
      namespace: namespace ?? context.run.namespace,
      overwrite,
      type,
      ...(ttl !== undefined && { ttlMs: ttl }),
      ...(kvDescription !== undefined && { description: kvDescription }),
    });
    return {};
  },
});
