import { choice, defineTask, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { evaluate, fieldsOf, type Scope, WrongRecord } from '../language/evaluate.ts';
import { type Node, parseExpression } from '../language/parse.ts';
import { Counters, metricsOf } from './counters.ts';
import { failedRecord } from './fields.ts';
import { fromProperty, giveRecords, openRecords, outputProperties, recordsOutput } from './recordFiles.ts';

export const filterRecords = defineTask({
  type: 'transform.Filter',
  title: 'Keep the records that match',
  description:
    'Evaluates a condition over each record and keeps those for which it is true. A condition that is null, because a field is missing, keeps nothing.',
  input: () =>
    z.object({
      from: fromProperty(),
      where: text().describe('The condition, for example `amount > 100 && country == "FR"`.'),
      onError: choice(['FAIL', 'SKIP', 'KEEP'])
        .default('FAIL')
        .describe(
          'What to do when the condition cannot be evaluated: fail, leave the record out, or keep it.',
        ),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'passed', 'dropped', 'failed'),
  sideEffects: true,
  examples: [
    {
      title: 'Only large orders.',
      runs: true,
      code: `id: large_orders
namespace: company.team

tasks:
  - id: large
    type: transform.Filter
    from:
      - {id: 1, amount: 50}
      - {id: 2, amount: 500}
    where: amount > 100
`,
    },
  ],
  async run(context, input) {
    const where = parseExpression(input.where);
    const counters = new Counters();
    const source = openRecords(context, input.from);
    async function* records(): AsyncGenerator<unknown> {
      for await (const record of source.records) {
        counters.add('processed');
        const isKept = tryCondition(where, fieldsOf(record), (error) => {
          counters.add('failed');
          if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
          return input.onError === 'KEEP';
        });
        counters.add(isKept ? 'passed' : 'dropped');
        if (isKept) yield record;
      }
    }
    const output = await giveRecords(context, input.outputType, source.isFile, records());
    counters.report(context, 'processed', 'passed', 'dropped', 'failed');
    return output;
  },
});

/** Whether the condition holds; null does not. */
export function tryCondition(where: Node, scope: Scope, onError: (error: WrongRecord) => boolean): boolean {
  try {
    const value = evaluate(where, scope);
    if (value === null) return false;
    if (typeof value !== 'boolean') throw new WrongRecord('the condition is neither true nor false');
    return value;
  } catch (error) {
    if (!(error instanceof WrongRecord)) throw error;
    return onError(error);
  }
}
