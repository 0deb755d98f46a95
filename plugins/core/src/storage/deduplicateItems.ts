import { defineTask, readRows, text, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fromProperty } from './fromProperty.ts';

export const deduplicateItems = defineTask({
  type: 'core.storage.DeduplicateItems',
  title: 'Keep one row per key',
  description:
    'Renders `expr` with the fields of each row; of the rows with the same result only the last is kept. The keys of all rows are held in memory.',
  aliases: ['io.kestra.core.tasks.storages.DeduplicateItems'],
  input: () =>
    z.object({
      from: fromProperty(),
      expr: text().describe('The key of a row, for example `{{ id }}`.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the rows that were kept.'),
      numKeys: z.number().describe('How many keys there were.'),
      processedItemsTotal: z.number().describe('How many rows there were.'),
      droppedItemsTotal: z.number().describe('How many rows were dropped.'),
    }),
  sideEffects: true,
  raw: ['expr'],
  examples: [
    {
      title: 'The last row of each customer.',
      runs: true,
      code: `id: deduplicate
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: last
    type: core.storage.DeduplicateItems
    from: "{{ inputs.rows }}"
    expr: "{{ customer_id }}"
`,
    },
  ],
  async run(context, { from, expr }) {
    const keyOf = async (row: unknown): Promise<string> =>
      String(await context.render(expr, typeof row === 'object' && row !== null ? { ...row, row } : { row }));
    const lastOfKey = new Map<string, number>();
    let total = 0;
    for await (const { value } of readRows(context, from)) lastOfKey.set(await keyOf(value), total++);

    // A second pass, so that the rows themselves never have to fit into memory.
    const kept = new Set(lastOfKey.values());
    async function* rows(): AsyncIterable<Uint8Array> {
      let index = 0;
      for await (const { value } of readRows(context, from)) if (kept.has(index++)) yield toRow(value);
    }
    const uri = await context.files.put('deduplicated.ion', rows());
    return {
      uri,
      numKeys: lastOfKey.size,
      processedItemsTotal: total,
      droppedItemsTotal: total - lastOfKey.size,
    };
  },
});
