import {
  defineTask,
  flag,
  listOf,
  mapOf,
  readIonText,
  readItems,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Answer, evaluateAll, withUserCode } from '../worker/userCode.ts';
import { type CompiledGrok, compileGrok, toFields } from './compileGrok.ts';

const shared = () => ({
  pattern: text().optional().describe('The pattern, for example `%{IP:client} %{WORD:method}`.'),
  patterns: listOf(text()).optional().describe('Several patterns, tried in their order.'),
  patternsDir: listOf(text())
    .optional()
    .describe(
      'Paths of namespace files, or folders of them, with lines `NAME pattern` that define more patterns.',
    ),
  patternDefinitions: mapOf(text()).optional().describe('More patterns by name.'),
  namedCapturesOnly: flag().default(true).describe('Keep only captures that have a name.'),
  breakOnFirstMatch: flag()
    .default(true)
    .describe('Stop at the first pattern that matches. If not, the captures of all are merged.'),
  keepEmptyCaptures: flag().default(false).describe('Keep captures that are empty.'),
});

type Shared = z.infer<z.ZodObject<ReturnType<typeof shared>>>;

export const grokValue = defineTask({
  type: 'transform.grok.TransformValue',
  title: 'Read a text with grok',
  description:
    'Finds fields in a text by grok patterns. A text that matches no pattern gives an empty map. `%{NUMBER:size:int}` reads a number.',
  input: () => z.object({ from: text().describe('The text.'), ...shared() }),
  output: () =>
    z.object({ value: z.record(z.string(), z.unknown()).describe('The captured values, by name.') }),
  sideEffects: false,
  examples: [
    {
      title: 'Read a line of a log.',
      runs: true,
      code: `id: log_line
namespace: company.team

tasks:
  - id: fields
    type: transform.grok.TransformValue
    from: 2026-01-31T10:00:00Z ERROR 10.0.0.7 took 250 ms
    pattern: "%{TIMESTAMP_ISO8601:at} %{LOGLEVEL:level} %{IP:client} took %{NUMBER:duration:int} ms"
`,
    },
  ],
  async run(context, input) {
    const compiled = await compileAll(context, input);
    const answers = await withUserCode(codeOf(compiled), { signal: context.signal }, (evaluate) =>
      evaluate([input.from]),
    );
    return { value: fieldsOf(compiled, answers[0] ?? {}, input) };
  },
});

export const grokItems = defineTask({
  type: 'transform.grok.TransformItems',
  title: 'Read the lines of a file with grok',
  description:
    'Finds fields in each row of a file by grok patterns. A row is a text; the lines of a plain text file are taken as they are. A row that matches no pattern gives an empty map.',
  input: () =>
    z.object({ from: storageUri().describe('The URI of the file in internal storage.'), ...shared() }),
  output: () =>
    z.object({
      uri: z.string().describe('The file with the rows that were found.'),
      processedItemsTotal: z.number().describe('How many rows were read.'),
    }),
  sideEffects: true,
  examples: [
    {
      title: 'Read an access log.',
      runs: true,
      code: `id: access_log
namespace: company.team

inputs:
  - id: log
    type: FILE

tasks:
  - id: rows
    type: transform.grok.TransformItems
    from: "{{ inputs.log }}"
    pattern: "%{COMBINEDAPACHELOG}"
`,
    },
  ],
  async run(context, input) {
    const compiled = await compileAll(context, input);
    return withUserCode(codeOf(compiled), { signal: context.signal }, async (evaluate) => {
      let processed = 0;
      const lines = readItems(await context.files.read(input.from), '\n');
      async function* rows(): AsyncGenerator<unknown> {
        for await (const answer of evaluateAll(withoutEmpty(lines), toText, evaluate)) {
          processed++;
          yield fieldsOf(compiled, answer, input);
        }
      }
      const uri = await context.files.put('fields.ion', writeTypedRows(rows(), context.signal).content);
      return { uri, processedItemsTotal: processed };
    });
  },
});

async function* withoutEmpty(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (line.trim() !== '') yield line;
}

/** The text of a row that is a string; any other line is used verbatim. */
function toText(line: string): string {
  if (!line.startsWith('"')) return line.replace(/\r$/, '');
  try {
    const value = readIonText(line);
    return typeof value === 'string' ? value : line;
  } catch {
    return line;
  }
}

const codeOf = (compiled: readonly CompiledGrok[]) => ({
  kind: 'grok' as const,
  sources: compiled.map(({ source }) => source),
  flags: 's',
});

function fieldsOf(
  compiled: readonly CompiledGrok[],
  { value, error }: Answer,
  input: Shared,
): Record<string, unknown> {
  if (error !== undefined) throw new TaskFailed(`The pattern failed: ${error}`, { retry: false });
  return toFields(compiled, JSON.parse(value ?? '[]'), input);
}

async function compileAll(context: TaskContext, input: Shared): Promise<CompiledGrok[]> {
  const patterns = [...(input.pattern === undefined ? [] : [input.pattern]), ...(input.patterns ?? [])];
  if (patterns.length === 0)
    throw new TaskFailed('One of "pattern" and "patterns" is needed.', { retry: false });
  const definitions = {
    ...(await readDefinitions(context, input.patternsDir ?? [])),
    ...input.patternDefinitions,
  };
  return patterns.map((pattern) => compileGrok(pattern, definitions));
}

async function readDefinitions(
  context: TaskContext,
  paths: readonly string[],
): Promise<Record<string, string>> {
  const definitions: Record<string, string> = {};
  if (paths.length === 0) return definitions;
  const { namespace } = context.run;
  const files = await context.namespaceFiles.list(namespace);
  for (const path of paths) {
    const inner = path.replace(/^\/+|\/+$/g, '');
    const found = files.filter((file) => file === inner || file.startsWith(`${inner}/`));
    if (found.length === 0)
      throw new TaskFailed(
        `"patternsDir" names "${path}", and the namespace "${namespace}" has no such file or folder.`,
        { retry: false },
      );
    for (const file of found)
      for await (const line of readItems(await context.namespaceFiles.read(namespace, file), '\n')) {
        const [, name, pattern] = /^\s*(\w+)\s+(.+?)\s*$/.exec(line) ?? [];
        if (name !== undefined && pattern !== undefined) definitions[name] = pattern;
      }
  }
  return definitions;
}
