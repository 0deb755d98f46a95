import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decodeText, wholeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeText } from '../converter.ts';

type Toon = typeof import('@toon-format/toon');
const loadToon = () => importModule<Toon>('@toon-format/toon');

const input = () => z.object({ from: fromProperty(), charset: charsetProperty() });

const example = (id: string, type: string) => ({
  title: 'Convert a file.',
  runs: true,
  code: `id: ${id}
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: convert
    type: ${type}
    from: "{{ inputs.file }}"
`,
});

const countOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1);

export const jsonToToon = defineConverter({
  type: 'serdes.json.JsonToToon',
  title: 'Write JSON as TOON',
  description:
    'Turns a JSON file into Token-Oriented Object Notation, a compact form of JSON for language models. The whole file is read at once.',
  input,
  examples: [example('json_to_toon', 'serdes.json.JsonToToon')],
  async convert(context, { from, charset }) {
    const text = await wholeText(await decodeText(await context.files.read(from), charset));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new TaskFailed(`The file is not JSON: ${messageOf(error)}`, { retry: false });
    }
    const { encode } = await loadToon();
    const uri = await storeText(context, 'data.toon', [encode(value)], charset);
    return { uri, size: countOf(value) };
  },
});

export const toonToJson = defineConverter({
  type: 'serdes.json.ToonToJson',
  title: 'Read TOON as JSON',
  description: 'Turns a file in Token-Oriented Object Notation into JSON. The whole file is read at once.',
  input,
  examples: [{ ...example('toon_to_json', 'serdes.json.ToonToJson'), runs: false }],
  async convert(context, { from, charset }) {
    const text = await wholeText(await decodeText(await context.files.read(from), charset));
    const { decode } = await loadToon();
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      throw new TaskFailed(`The file is not TOON: ${messageOf(error)}`, { retry: false });
    }
    const uri = await storeText(context, 'data.json', [`${JSON.stringify(value)}\n`], charset);
    return { uri, size: countOf(value) };
  },
});
