import {
  defineTask,
  flag,
  integer,
  messageOf,
  readTypedRows,
  storageUri,
  TaskFailed,
  text,
  textOrJson,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { toPlain } from '../records/recordFiles.ts';
import { type Answer, evaluateAll, withUserCode } from '../worker/userCode.ts';

const shared = () => ({
  expression: text().describe('The expression in JSONata.'),
  maxDepth: integer({ min: 1 }).default(1000).describe('How deep the evaluation may nest.'),
});

const limits = 'The expression may use 256 MB of memory, and 30 s for a batch of records.';

export const jsonataValue = defineTask({
  type: 'transform.jsonata.TransformValue',
  title: 'Transform JSON with JSONata',
  description: `Evaluates a [JSONata](https://jsonata.org) expression on a JSON value. ${limits}`,
  input: () => z.object({ from: textOrJson().describe('The JSON value.'), ...shared() }),
  output: () =>
    z.object({ value: z.unknown().describe('What the expression gives; null when it gives nothing.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Sum up the lines of an order.',
      runs: true,
      code: `id: order_total
namespace: company.team

tasks:
  - id: total
    type: transform.jsonata.TransformValue
    from: '{"lines": [{"price": 2, "quantity": 3}, {"price": 5, "quantity": 1}]}'
    expression: '{"total": $sum(lines.(price * quantity))}'
`,
    },
  ],
  async run(context, { from, expression, maxDepth }) {
    checkJson(from);
    const answers = await withUserCode(
      { kind: 'jsonata', expression, maxDepth },
      { signal: context.signal },
      (evaluate) => evaluate([from]),
    );
    return { value: answeredValue(answers[0] ?? {}, expression) ?? null };
  },
});

function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new TaskFailed(`"from" must be JSON: ${messageOf(error)}`, { retry: false });
  }
}

function answeredValue({ value, error }: Answer, expression: string, record?: number): unknown {
  if (error === undefined) return value === undefined ? undefined : JSON.parse(value);
  const where = record === undefined ? '' : ` for record ${record}`;
  throw new TaskFailed(`The expression "${expression}" failed${where}: ${error.replace(/\.$/, '')}.`, {
    retry: false,
  });
}

export const jsonataItems = defineTask({
  type: 'transform.jsonata.TransformItems',
  title: 'Transform rows with JSONata',
  description: `Evaluates a [JSONata](https://jsonata.org) expression on each row of a file. A row for which it gives nothing is left out. Dates are texts to JSONata, and decimals are numbers. ${limits}`,
  input: () =>
    z.object({
      from: storageUri().describe('The URI of the file of rows in internal storage.'),
      ...shared(),
      explodeArray: flag()
        .default(true)
        .describe('Make a row of each item when the expression gives an array.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the new rows.'),
      processedItemsTotal: z.number().describe('How many rows were read.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Rename and compute fields of each row.',
      runs: true,
      code: `id: jsonata_rows
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: transform
    type: transform.jsonata.TransformItems
    from: "{{ inputs.rows }}"
    expression: '{"fields": $count($keys($)), "row": $}'
`,
    },
  ],
  run: (context, { from, expression, maxDepth, explodeArray }) =>
    withUserCode({ kind: 'jsonata', expression, maxDepth }, { signal: context.signal }, async (evaluate) => {
      let processed = 0;
      async function* rows(): AsyncGenerator<unknown> {
        const toText = (row: unknown) => JSON.stringify(toPlain(row));
        for await (const answer of evaluateAll(readTypedRows(context, from), toText, evaluate)) {
          processed++;
          const value = answeredValue(answer, expression, processed);
          if (explodeArray && Array.isArray(value)) yield* value;
          else if (value !== undefined) yield value;
        }
      }
      const uri = await context.files.put('transformed.ion', writeTypedRows(rows(), context.signal).content);
      return { uri, processedItemsTotal: processed };
    }),
});
