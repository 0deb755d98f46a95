import {
  choice,
  chunksOf,
  defineTask,
  listOf,
  mapOf,
  nameOfUri,
  readCsvRecords,
  readTypedRows,
  storageUri,
  type TaskContext,
  text,
  toCsvLine,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { FakerTemplates } from './fakerExpressions.ts';

export const pseudonymize = defineTask({
  type: 'datagen.core.Pseudonymize',
  title: 'Replace personal data by generated data',
  description:
    'Replaces fields of rows by generated values, from expressions such as `#{name.fullName}`. Equal values of a field get equal replacements within a file, up to 100,000 different values of a field. Empty values stay empty. Files are Ion or JSON lines, or CSV with a header line.',
  input: () =>
    z.object({
      from: storageUri().describe('The URI of the file in internal storage.'),
      fields: mapOf(text()).optional().describe('The fields to replace, and the expression for each.'),
      contentType: choice(['CSV', 'JSON', 'ION'])
        .optional()
        .describe('The format of the file: `CSV`, otherwise Ion or JSON lines.'),
      locale: listOf(text()).optional().describe('The language of the values; English by default.'),
    }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the replaced fields.'),
      count: z.number().describe('How many rows it has.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Replace names and mail addresses.',
      runs: true,
      code: `id: pseudonymize
namespace: company.team

inputs:
  - id: customers
    type: FILE

tasks:
  - id: replace
    type: datagen.core.Pseudonymize
    from: "{{ inputs.customers }}"
    contentType: JSON
    fields:
      name: "#{name.fullName}"
      email: "#{internet.emailAddress}"
`,
    },
  ],
  async run(context, { from, fields = {}, contentType, locale }) {
    const replacer = new Replacer(await FakerTemplates.load(locale), fields);
    if (contentType === 'CSV') {
      const counter = { count: 0 };
      const lines = replacedCsv(await context.files.read(from), replacer, counter);
      const uri = await context.files.put(nameOfUri(from), chunksOf(lines, context.signal));
      return { uri, count: counter.count };
    }
    const writer = writeTypedRows(replacedRows(context, from, replacer), context.signal);
    const uri = await context.files.put(nameOfUri(from), writer.content);
    return { uri, count: writer.count };
  },
});

const maxKnown = 100_000;

/** Replaces values by field. Equal values of a field get equal replacements. */
class Replacer {
  readonly #templates: FakerTemplates;
  readonly #fields: Readonly<Record<string, string>>;
  readonly #known = new Map<string, Map<string, unknown>>();

  constructor(templates: FakerTemplates, fields: Readonly<Record<string, string>>) {
    this.#templates = templates;
    this.#fields = fields;
  }

  replace(name: string, value: unknown): unknown {
    const template = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    if (template === undefined || value === undefined || value === null) return value;
    const known = this.#known.get(name) ?? new Map<string, unknown>();
    this.#known.set(name, known);
    const key = String(value);
    if (known.has(key)) return known.get(key);
    const made = this.#templates.fill(template);
    if (known.size < maxKnown) known.set(key, made);
    return made;
  }

  /** A line may hold a list of rows, as a JSON file does that was written in one piece. */
  replaceRow(row: unknown): unknown {
    if (Array.isArray(row)) return row.map((each) => this.replaceRow(each));
    if (typeof row !== 'object' || row === null) return row;
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, this.replace(name, value)]));
  }
}

async function* replacedRows(
  context: TaskContext,
  from: string,
  replacer: Replacer,
): AsyncGenerator<unknown> {
  for await (const row of readTypedRows(context, from)) yield replacer.replaceRow(row);
}

async function* replacedCsv(
  content: AsyncIterable<Uint8Array>,
  replacer: Replacer,
  counter: { count: number },
): AsyncGenerator<string> {
  let header: readonly string[] | undefined;
  for await (const record of readCsvRecords(content)) {
    if (header) {
      counter.count++;
      const names = header;
      yield toCsvLine(
        record.map((value, at) => (value === '' ? value : replacer.replace(names[at] ?? '', value))),
      );
    } else {
      header = record;
      yield toCsvLine(record);
    }
  }
}
