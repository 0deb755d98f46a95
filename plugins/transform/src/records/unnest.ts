import { choice, defineTask, flag, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { evaluate, fieldsOf, isMap, WrongRecord } from '../language/evaluate.ts';
import { type Node, parseExpression } from '../language/parse.ts';
import { Counters, metricsOf } from './counters.ts';
import { failedRecord } from './fields.ts';
import { fromProperty, giveRecords, openRecords, outputProperties, recordsOutput } from './recordFiles.ts';

export const unnestRecords = defineTask({
  type: 'transform.Unnest',
  title: 'Make a record for each item of a list',
  description:
    'Takes a list in each record apart: every item becomes a record, with the other fields beside it unless `keepOriginalFields` is false. A record with an empty or missing list gives none.',
  input: () =>
    z.object({
      from: fromProperty(),
      path: text().describe('The path to the list, for example `order.items`.'),
      as: text().describe('The field that holds the item.'),
      keepOriginalFields: flag()
        .default(true)
        .describe('Keep the other fields; the list itself is left out when it is a field of the record.'),
      onError: choice(['FAIL', 'SKIP', 'NULL'])
        .default('FAIL')
        .describe(
          'What to do when there is no list at the path: fail, leave the record out, or give one with null.',
        ),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'failed', 'dropped'),
  sideEffects: true,
  examples: [
    {
      title: 'A record for each item of an order.',
      runs: true,
      code: `id: items
namespace: company.team

tasks:
  - id: items
    type: transform.Unnest
    from:
      - {order: 1, items: [{sku: a}, {sku: b}]}
    path: items
    as: item
`,
    },
  ],
  async run(context, input) {
    const path = parseExpression(input.path.replace(/\[\]$/, ''));
    if (path.kind !== 'path')
      throw new TaskFailed(`"path" must be a path, got "${input.path}".`, { retry: false });
    const [onlyStep, ...more] = path.steps;
    const listField = more.length === 0 && onlyStep?.kind === 'field' ? onlyStep.name : undefined;
    const counters = new Counters();
    const source = openRecords(context, input.from);
    async function* records(): AsyncGenerator<unknown> {
      for await (const record of source.records) {
        counters.add('processed');
        for (const item of items(record)) yield withItem(record, item);
      }
    }
    function items(record: unknown): unknown[] {
      try {
        return listAt(path, record);
      } catch (error) {
        if (!(error instanceof WrongRecord)) throw error;
        counters.add('failed');
        if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
        if (input.onError === 'NULL') return [null];
        counters.add('dropped');
        return [];
      }
    }
    function withItem(record: unknown, item: unknown): unknown {
      const kept = input.keepOriginalFields && isMap(record) ? { ...record } : {};
      if (listField !== undefined) delete kept[listField];
      return { ...kept, [input.as]: item };
    }
    const output = await giveRecords(context, input.outputType, source.isFile, records());
    counters.report(context, 'processed', 'failed', 'dropped');
    return output;
  },
});

function listAt(path: Node, record: unknown): unknown[] {
  const value = evaluate(path, fieldsOf(record));
  if (value === null) return [];
  if (!Array.isArray(value)) throw new WrongRecord('there is no list at the path');
  return value;
}
