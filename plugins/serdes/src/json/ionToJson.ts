import { flag, readTypedRows } from '@millrace/plugin-kit';
import { z } from 'zod';
import { charsetProperty, defineConverter, fromProperty, storeText } from '../converter.ts';
import { timeZoneProperty, toJsonText, zoneOf } from '../textWriter.ts';

export const ionToJson = defineConverter({
  type: 'serdes.json.IonToJson',
  title: 'Write rows as JSON',
  description:
    'Turns a file of rows into JSON lines, or with `newLine: false` into one JSON array; a single row is then written without the array. Dates are ISO texts, bytes are base64.',
  aliases: ['serdes.json.JsonWriter'],
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      newLine: flag().default(true).describe('Write each row on a line. If not, one array is written.'),
      timeZoneId: timeZoneProperty(),
      shouldKeepAnnotations: flag()
        .default(false)
        .describe('Write a date with a type annotation as `{"ion_annotations": […], "value": …}`.'),
    }),
  examples: [
    {
      title: 'Write rows as one JSON array.',
      runs: true,
      code: `id: rows_to_json
namespace: company.team

inputs:
  - id: rows
    type: FILE

tasks:
  - id: json
    type: serdes.json.IonToJson
    from: "{{ inputs.rows }}"
    newLine: false
`,
    },
  ],
  async convert(context, { from, charset, newLine, timeZoneId, shouldKeepAnnotations }) {
    const zone = zoneOf(timeZoneId);
    let size = 0;
    async function* values(): AsyncGenerator<string> {
      for await (const row of readTypedRows(context, from)) {
        size++;
        yield toJsonText(row, zone, shouldKeepAnnotations);
      }
    }
    const texts = newLine ? asLines(values()) : asArray(values());
    const uri = await storeText(context, newLine ? 'rows.jsonl' : 'rows.json', texts, charset);
    return { uri, size };
  },
});

export async function* asLines(values: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const value of values) yield `${value}\n`;
}

/** Writes an array, but a single value without brackets. */
async function* asArray(values: AsyncIterable<string>): AsyncGenerator<string> {
  let first: string | undefined;
  let count = 0;
  for await (const value of values) {
    count++;
    if (count === 1) first = value;
    else yield count === 2 ? `[${first},\n${value}` : `,\n${value}`;
  }
  if (count === 0) yield '[]\n';
  else yield count === 1 ? `${first}\n` : ']\n';
}
