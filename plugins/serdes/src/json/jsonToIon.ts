import { flag } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decodeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeRows } from '../converter.ts';
import { readJsonValues } from './readJson.ts';

export const jsonToIon = defineConverter({
  type: 'serdes.json.JsonToIon',
  title: 'Read JSON as rows',
  description:
    'Turns a JSON file into a file of rows: each line is a row, or with `newLine: false` each element of the array. Any other value is one row. Integers stay exact whatever their length.',
  aliases: ['serdes.json.JsonReader'],
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      newLine: flag()
        .default(true)
        .describe('Whether each line is a separate JSON value. If not, the file is one JSON value.'),
    }),
  examples: [
    {
      title: 'Read the array that an API has returned.',
      runs: true,
      code: `id: json_to_rows
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: rows
    type: serdes.json.JsonToIon
    from: "{{ inputs.file }}"
    newLine: false
`,
    },
  ],
  async convert(context, { from, charset, newLine }) {
    const texts = await decodeText(await context.files.read(from), charset);
    return storeRows(context, readJsonValues(texts, newLine));
  },
});
