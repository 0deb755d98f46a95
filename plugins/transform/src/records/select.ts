import { choice, defineTask, flag, integer, listOf, mapOf, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fieldsOf, isMap, type Scope, WrongRecord } from '../language/evaluate.ts';
import { parseExpression } from '../language/parse.ts';
import { Counters, metricsOf } from './counters.ts';
import { compileFields, evaluateFields, failedRecord, fieldProperty } from './fields.ts';
import { tryCondition } from './filter.ts';
import { inputsProperty, openLockStep } from './lockStep.ts';
import { giveRecords, outputProperties, recordsOutput } from './recordFiles.ts';

export const selectRecords = defineTask({
  type: 'transform.Select',
  title: 'Join, filter and project records by position',
  description:
    'Puts the records of several inputs side by side by position. In expressions `$1` is the record of the first input, `$2` that of the second, and a name without `$` is a field of the first.',
  input: () =>
    z.object({
      inputs: inputsProperty(),
      where: text().optional().describe('The condition for a row to be kept, for example `$1.id == $2.id`.'),
      fields: mapOf(fieldProperty())
        .optional()
        .describe(
          'The fields of the new records. All fields of all inputs when neither this nor `keepInputFields` is given.',
        ),
      keepInputFields: listOf(integer({ min: 1 }))
        .default([])
        .describe('The numbers of the inputs whose fields are kept, counted from 1.'),
      dropNulls: flag().default(true).describe('Leave out new fields that are null.'),
      onLengthMismatch: choice(['FAIL', 'SKIP'])
        .default('FAIL')
        .describe('What to do when an input ends before another: fail, or end with the shortest.'),
      onError: choice(['FAIL', 'SKIP', 'KEEP'])
        .default('FAIL')
        .describe(
          'What to do with a row that cannot be evaluated: fail, leave it out, or keep it with null for the fields that failed.',
        ),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'passed', 'dropped', 'failed'),
  sideEffects: true,
  examples: [
    {
      title: 'Compare two lists.',
      runs: true,
      code: `id: compare
namespace: company.team

tasks:
  - id: changed
    type: transform.Select
    inputs:
      - [{id: 1, price: 10}, {id: 2, price: 20}]
      - [{id: 1, price: 10}, {id: 2, price: 25}]
    where: $1.price != $2.price
    fields:
      id: $1.id
      difference: $2.price - $1.price
`,
    },
  ],
  async run(context, input) {
    const where = input.where === undefined ? undefined : parseExpression(input.where);
    const fields = compileFields(input.fields ?? {});
    const tooHigh = input.keepInputFields.find((number) => number > input.inputs.length);
    if (tooHigh !== undefined)
      throw new TaskFailed(
        `"keepInputFields" names the input ${tooHigh}, and there are ${input.inputs.length}.`,
        { retry: false },
      );
    const kept =
      input.fields || input.keepInputFields.length > 0
        ? input.keepInputFields
        : input.inputs.map((_, at) => at + 1);
    const counters = new Counters();
    const { isFile, rows } = openLockStep(context, input.inputs);

    async function* records(): AsyncGenerator<unknown> {
      for await (const row of rows) {
        if (row.includes(undefined)) {
          if (input.onLengthMismatch === 'SKIP') return;
          const number = counters.get('processed') + 1;
          throw new TaskFailed(`The inputs have different lengths: one ends before record ${number}.`, {
            retry: false,
          });
        }
        counters.add('processed');
        const record = select(row);
        counters.add(record === undefined ? 'dropped' : 'passed');
        if (record !== undefined) yield record;
      }
    }

    function select(row: readonly unknown[]): unknown {
      const scope = scopeOf(row);
      const fail = (error: WrongRecord): boolean => {
        counters.add('failed');
        if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
        return input.onError === 'KEEP';
      };
      if (where && !tryCondition(where, scope, fail)) return undefined;
      try {
        const onError = input.onError === 'KEEP' ? () => null : undefined;
        const made = evaluateFields(fields, scope, { dropNulls: input.dropNulls, onError });
        const before = kept.flatMap((number) => entriesOf(row[number - 1]));
        return Object.fromEntries([...before, ...made]);
      } catch (error) {
        if (!(error instanceof WrongRecord)) throw error;
        fail(error);
        return undefined;
      }
    }

    const output = await giveRecords(context, input.outputType, isFile, records());
    counters.report(context, 'processed', 'passed', 'dropped', 'failed');
    return output;
  },
});

const entriesOf = (record: unknown): [string, unknown][] => (isMap(record) ? Object.entries(record) : []);

function scopeOf(row: readonly unknown[]): Scope {
  const first = fieldsOf(row[0]);
  return (name) => (/^\$\d+$/.test(name) ? (row[Number(name.slice(1)) - 1] ?? null) : first(name));
}
