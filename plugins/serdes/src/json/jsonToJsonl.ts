import { z } from 'zod';
import { decodeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeText } from '../converter.ts';
import { jsonElements } from './jsonElements.ts';
import { parseElement } from './readJson.ts';

export const jsonToJsonl = defineConverter({
  type: 'serdes.json.JsonToJsonl',
  title: 'Write a JSON array as JSON lines',
  description: 'Writes each element of a JSON array on a line. Any other JSON value becomes one line.',
  input: () => z.object({ from: fromProperty(), charset: charsetProperty() }),
  examples: [
    {
      title: 'One line per element.',
      runs: true,
      code: `id: json_lines
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: lines
    type: serdes.json.JsonToJsonl
    from: "{{ inputs.file }}"
`,
    },
  ],
  async convert(context, { from, charset }) {
    const texts = await decodeText(await context.files.read(from), charset);
    let size = 0;
    async function* lines(): AsyncGenerator<string> {
      for await (const element of jsonElements(texts)) {
        parseElement(element);
        size++;
        yield `${withoutBlanks(element.text)}\n`;
      }
    }
    const uri = await storeText(context, 'lines.jsonl', lines(), charset);
    return { uri, size };
  },
});

/** JSON without blanks between its parts; numbers and texts stay exactly as written. */
const withoutBlanks = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));
