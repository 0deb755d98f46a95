import { Decimal, findZone, Real, Temporal } from '@millrace/expression';
import { flag, readTypedRows, type TaskContext } from '@millrace/plugin-kit';
import { stringify } from 'yaml';
import { z } from 'zod';
import { decodeText } from '../charset.ts';
import { charsetProperty, defineConverter, fromProperty, storeRows, storeText } from '../converter.ts';
import { asLines } from '../json/ionToJson.ts';
import { readJsonValues } from '../json/readJson.ts';
import { toJsonText } from '../textWriter.ts';
import { readYamlDocuments } from './yamlDocuments.ts';

const utc = findZone('UTC');

const example = (id: string, type: string, runs: boolean) => ({
  title: 'Convert a file.',
  runs,
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

const open = async (context: TaskContext, from: string, charset: string) =>
  decodeText(await context.files.read(from), charset);

export const yamlToIon = defineConverter({
  type: 'serdes.yaml.YamlToIon',
  title: 'Read YAML as rows',
  description:
    'Turns a YAML file into a file of rows, one for each document. A document that is a list is one row.',
  input: () => z.object({ from: fromProperty(), charset: charsetProperty() }),
  examples: [example('yaml_to_rows', 'serdes.yaml.YamlToIon', true)],
  async convert(context, { from, charset }) {
    return storeRows(context, readYamlDocuments(await open(context, from, charset)));
  },
});

export const ionToYaml = defineConverter({
  type: 'serdes.yaml.IonToYaml',
  title: 'Write rows as YAML',
  description: 'Turns a file of rows into a YAML file with one document for each row.',
  input: () => z.object({ from: fromProperty(), charset: charsetProperty() }),
  examples: [example('rows_to_yaml', 'serdes.yaml.IonToYaml', true)],
  async convert(context, { from, charset }) {
    const documents = new Documents(readTypedRows(context, from));
    const uri = await storeText(context, 'rows.yaml', documents.write(), charset);
    return { uri, size: documents.count };
  },
});

export const jsonToYaml = defineConverter({
  type: 'serdes.yaml.JsonToYaml',
  title: 'Write JSON as YAML',
  description:
    'Turns JSON into YAML. A JSON array becomes a YAML list; with `jsonl` each line becomes a YAML document.',
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      jsonl: flag().default(false).describe('Whether each line of the file is a separate JSON value.'),
    }),
  examples: [example('json_to_yaml', 'serdes.yaml.JsonToYaml', true)],
  async convert(context, { from, charset, jsonl }) {
    const first = await firstCharacter(context, from, charset);
    const values = readJsonValues(await open(context, from, charset), jsonl);
    const documents = new Documents(values);
    const texts = !jsonl && first === '[' ? documents.writeList() : documents.write();
    const uri = await storeText(context, 'data.yaml', texts, charset);
    return { uri, size: documents.count };
  },
});

export const yamlToJson = defineConverter({
  type: 'serdes.yaml.YamlToJson',
  title: 'Write YAML as JSON',
  description:
    'Turns YAML into JSON. A file with several documents becomes an array; with `jsonl` each document, or each item of a document that is a list, becomes a line.',
  input: () =>
    z.object({
      from: fromProperty(),
      charset: charsetProperty(),
      jsonl: flag().default(false).describe('Write JSON lines instead of one JSON value.'),
    }),
  examples: [example('yaml_to_json', 'serdes.yaml.YamlToJson', true)],
  async convert(context, { from, charset, jsonl }) {
    const documents = readYamlDocuments(await open(context, from, charset));
    let size = 0;
    async function* values(): AsyncGenerator<string> {
      for await (const document of documents)
        for (const value of jsonl && Array.isArray(document) ? document : [document]) {
          size++;
          yield toJsonText(value, utc);
        }
    }
    const texts = jsonl ? asLines(values()) : asDocument(values());
    const uri = await storeText(context, jsonl ? 'data.jsonl' : 'data.json', texts, charset);
    return { uri, size };
  },
});

/** One value as it is, several as an array, none as null. */
async function* asDocument(values: AsyncIterable<string>): AsyncGenerator<string> {
  let first: string | undefined;
  let count = 0;
  for await (const value of values) {
    count++;
    if (count === 1) first = value;
    else yield count === 2 ? `[${first},\n${value}` : `,\n${value}`;
  }
  yield count > 1 ? ']\n' : `${first ?? 'null'}\n`;
}

async function firstCharacter(
  context: TaskContext,
  from: string,
  charset: string,
): Promise<string | undefined> {
  for await (const text of await open(context, from, charset)) {
    const found = /\S/.exec(text);
    if (found) return found[0];
  }
  return undefined;
}

class Documents {
  count = 0;
  readonly #values: AsyncIterable<unknown>;

  constructor(values: AsyncIterable<unknown>) {
    this.#values = values;
  }

  async *write(): AsyncGenerator<string> {
    for await (const value of this.#values) {
      this.count++;
      yield (this.count === 1 ? '' : '---\n') + toYaml(value);
    }
  }

  async *writeList(): AsyncGenerator<string> {
    for await (const value of this.#values) {
      this.count++;
      yield toYaml([value]);
    }
    if (this.count === 0) yield '[]\n';
  }
}

const toYaml = (value: unknown): string =>
  stringify(forYaml(value), { lineWidth: 0, aliasDuplicateObjects: false });

/** Dates become texts; YAML writes the rest as it is. */
function forYaml(value: unknown): unknown {
  if (value instanceof Temporal) return value.toString();
  if (value instanceof Real) return value.value;
  if (value instanceof Decimal) return exactNumber(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(forYaml);
  if (value instanceof Map) return new Map([...value].map(([key, inner]) => [key, forYaml(inner)]));
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, forYaml(inner)]));
}

function exactNumber(value: Decimal): number | string {
  const number = value.toNumber();
  return Decimal.parse(String(number))?.compare(value) === 0 ? number : value.toString();
}
