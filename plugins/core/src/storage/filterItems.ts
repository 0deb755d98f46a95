import { isTruthy } from '@millrace/expression';
import { choice, defineTask, messageOf, readRows, TaskFailed, text, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fromProperty } from './fromProperty.ts';

export const filterItems = defineTask({
  type: 'core.storage.FilterItems',
  title: 'Keep the rows that match',
  description:
    'Renders `filterCondition` with the fields of each row and keeps, or drops, the rows for which it is truthy.',
  aliases: ['io.kestra.core.tasks.storages.FilterItems'],
  input: () =>
    z.object({
      from: fromProperty(),
      filterCondition: text().describe(
        'An expression over the fields of a row, for example `{{ amount > 100 }}`.',
      ),
      filterType: choice(['INCLUDE', 'EXCLUDE'])
        .default('INCLUDE')
        .describe('Keep the rows that match, or drop them.'),
      errorOrNullBehavior: choice(['FAIL', 'INCLUDE', 'EXCLUDE'])
        .default('FAIL')
        .describe('What happens to a row for which the condition gives nothing or cannot be rendered.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the rows that were kept.'),
      processedItemsTotal: z.number().describe('How many rows there were.'),
      droppedItemsTotal: z.number().describe('How many rows were dropped.'),
    }),
  sideEffects: true,
  raw: ['filterCondition'],
  examples: [
    {
      title: 'Only large orders.',
      runs: true,
      code: `id: filter
namespace: company.team

inputs:
  - id: orders
    type: FILE

tasks:
  - id: large
    type: core.storage.FilterItems
    from: "{{ inputs.orders }}"
    filterCondition: "{{ amount > 100 }}"
`,
    },
  ],
  async run(context, { from, filterCondition, filterType, errorOrNullBehavior }) {
    const keepUnclear = (problem: string): boolean => {
      if (errorOrNullBehavior === 'FAIL') throw new TaskFailed(`The filter condition ${problem}.`);
      return errorOrNullBehavior === 'INCLUDE';
    };
    const isKept = async (row: unknown): Promise<boolean> => {
      let rendered: string;
      try {
        const fields = typeof row === 'object' && row !== null ? { ...row, row } : { row };
        rendered = String(await context.render(filterCondition, fields)).trim();
      } catch (error) {
        return keepUnclear(`could not be rendered: ${messageOf(error)}`);
      }
      if (rendered === '') return keepUnclear('gave nothing');
      return isTruthy(rendered) === (filterType === 'INCLUDE');
    };
    let total = 0;
    let dropped = 0;
    async function* rows(): AsyncIterable<Uint8Array> {
      for await (const { value } of readRows(context, from)) {
        total += 1;
        if (await isKept(value)) yield toRow(value);
        else dropped += 1;
      }
    }
    const uri = await context.files.put('filtered.ion', rows());
    return { uri, processedItemsTotal: total, droppedItemsTotal: dropped };
  },
});
