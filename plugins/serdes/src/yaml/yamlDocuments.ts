import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import { parseDocument } from 'yaml';
import { linesOf } from '../charset.ts';

/** The documents of a YAML file, one at a time. `---` at the start of a line always begins a new one. */
export async function* readYamlDocuments(
  texts: AsyncIterable<string>,
): AsyncGenerator<unknown, void, undefined> {
  let lines: string[] = [];
  let line = 0;
  let start = 1;
  for await (const text of linesOf(texts)) {
    line++;
    const isMarker = /^---(\s|$)/.test(text);
    if (isMarker && lines.some(isContent)) {
      yield parseYaml(lines.join('\n'), start);
      lines = [];
      start = line;
    }
    lines.push(text);
  }
  if (lines.some(isContent)) yield parseYaml(lines.join('\n'), start);
}

/** A bare marker, a directive or a comment does not start a document. */
const isContent = (line: string): boolean => !/^(---|\.\.\.)?\s*(#.*)?$|^%/.test(line);

function parseYaml(text: string, firstLine: number): unknown {
  try {
    const document = parseDocument(text, { intAsBigInt: true, merge: true, prettyErrors: false });
    const [problem] = document.errors;
    if (problem) {
      const at = text.slice(0, problem.pos[0]).split('\n').length - 1;
      throw new TaskFailed(`Line ${firstLine + at} is invalid YAML: ${problem.message}`, { retry: false });
    }
    return plain(document.toJS({ maxAliasCount: 1000 }));
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new TaskFailed(`The document at line ${firstLine} is invalid YAML: ${messageOf(error)}`, {
      retry: false,
    });
  }
}

/** Integers that a number holds exactly become numbers again. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return new Map(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
