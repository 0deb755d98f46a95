import { choice, defineTask, flag, mapOf } from '@millrace/plugin-kit';
import { z } from 'zod';
import { fieldsOf, isMap, WrongRecord } from '../language/evaluate.ts';
import { Counters, metricsOf } from './counters.ts';
import { compileFields, evaluateFields, failedRecord, fieldProperty } from './fields.ts';
import { fromProperty, giveRecords, openRecords, outputProperties, recordsOutput } from './recordFiles.ts';

export const mapRecords = defineTask({
  type: 'transform.Map',
  title: 'Make new records from records',
  description:
    'Evaluates expressions over each record: paths such as `customer.name`, `items[0].price` and `items[].price`, literals, `+ - * /`, comparisons, `&& || !`, and the functions `toInt`, `toDecimal`, `toString`, `toBoolean`, `parseTimestamp`, `sum`, `avg`, `count`, `min`, `max`, `coalesce` and `concat`. Arithmetic is exact.',
  input: () =>
    z.object({
      from: fromProperty(),
      fields: mapOf(fieldProperty()).describe(
        'The fields of the new records: an expression each, or a map with `expr`, `type` and `optional`.',
      ),
      keepOriginalFields: flag()
        .default(false)
        .describe('Keep the fields of the record beside the new ones.'),
      dropNulls: flag().default(true).describe('Leave out new fields that are null.'),
      onError: choice(['FAIL', 'SKIP', 'NULL'])
        .default('FAIL')
        .describe(
          'What to do when a field cannot be evaluated: fail, leave the record out, or make the field null.',
        ),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'failed', 'dropped'),
  sideEffects: true,
  examples: [
    {
      title: 'Compute a total for each order.',
      runs: true,
      code: `id: totals
namespace: company.team

tasks:
  - id: totals
    type: transform.Map
    from:
      - id: 1
        items:
          - price: 10.5
          - price: 4
    fields:
      id: id
      total:
        expr: sum(items[].price)
        type: DECIMAL
`,
    },
  ],
  async run(context, input) {
    const fields = compileFields(input.fields);
    const counters = new Counters();
    const source = openRecords(context, input.from);
    async function* records(): AsyncGenerator<unknown> {
      for await (const record of source.records) {
        counters.add('processed');
        let hasFailed = false;
        const toNull = () => {
          hasFailed = true;
          return null;
        };
        const onError = input.onError === 'NULL' ? toNull : undefined;
        try {
          const made = evaluateFields(fields, fieldsOf(record), { dropNulls: input.dropNulls, onError });
          if (hasFailed) counters.add('failed');
          yield input.keepOriginalFields && isMap(record)
            ? new Map([...Object.entries(record), ...made])
            : made;
        } catch (error) {
          if (!(error instanceof WrongRecord)) throw error;
          counters.add('failed');
          if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
          counters.add('dropped');
        }
      }
    }
    const output = await giveRecords(context, input.outputType, source.isFile, asMaps(records()));
    counters.report(context, 'processed', 'failed', 'dropped');
    return output;
  },
});

/** Maps in the order of their fields, as plain objects. */
export async function* asMaps(records: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const record of records) yield record instanceof Map ? Object.fromEntries(record) : record;
}
