import type { ParsedFlow } from '@millrace/engine';

type Places = Pick<ParsedFlow, 'rangeOf' | 'pathAt'>;

/** Where tasks and triggers are written; ids elsewhere (inputs, outputs, SLAs) name other things. */
const holdsTasks = /^(tasks|errors|finally|afterExecution|listeners|triggers)\[/;

/** The id of the innermost task or trigger around a place in the text. */
export function taskAt(source: string, places: Places, line: number, column: number): string | undefined {
  // On the dash of an item, or left of it, the cursor is at the item.
  const first = (source.split('\n', line)[line - 1] ?? '').search(/[^\s-]/) + 1;
  let path = places.pathAt(line, Math.max(column, first)) ?? '';
  while (holdsTasks.test(path)) {
    if (/(\]|\.task)$/.test(path)) {
      const range = places.rangeOf(`${path}.id`);
      const id = range && textAt(source, range.start.line, range.start.column, range.end.column);
      if (id) return id;
    }
    path = path.replace(/(\.[^.[\]]+|\[[^\]]*\]|^[^.[]+)$/, '');
  }
  return undefined;
}

interface WrittenTask {
  readonly id: string | undefined;
  readonly type: string;
}

const item = /^(\s*)(-\s+)(.*)$/;

/** The task or trigger around a line, read from its own lines alone: a mistake elsewhere in the text does not matter. */
export function writtenTaskAt(source: string, line: number): WrittenTask | undefined {
  const lines = source.split('\n');
  let at = Math.min(line, lines.length) - 1;
  while (at > 0 && isBlank(lines[at])) at -= 1;
  let limit = indentationOf(lines[at]) + 1;
  for (; at >= 0 && limit > 0; at -= 1) {
    if (isBlank(lines[at]) || indentationOf(lines[at]) >= limit) continue;
    limit = indentationOf(lines[at]);
    const [, before, dash, first] = item.exec(lines[at] ?? '') ?? [];
    if (before === undefined || dash === undefined || first === undefined) continue;
    const properties = propertiesOf(lines, at, before.length + dash.length, first);
    const type = readProperty('type', properties);
    // Types of inputs have no dot.
    if (type?.includes('.')) return { id: readProperty('id', properties), type };
  }
  return undefined;
}

/** The lines of a list item that are indented as its first property is. */
function propertiesOf(lines: readonly string[], at: number, column: number, first: string): string[] {
  // Of an item in braces, each part is a property.
  if (first.startsWith('{')) return first.slice(1).split(/[,}]/);
  const found = [first];
  for (const text of lines.slice(at + 1)) {
    if (isBlank(text)) continue;
    if (indentationOf(text) < column) break;
    if (indentationOf(text) === column) found.push(text);
  }
  return found;
}

function readProperty(name: string, properties: readonly string[]): string | undefined {
  const written = new RegExp(`^\\s*(["']?)${name}\\1:\\s+(["']?)([^"'\\s]+)\\2`);
  for (const property of properties) {
    const value = written.exec(property)?.[3];
    if (value !== undefined) return value;
  }
  return undefined;
}

const isBlank = (line = ''): boolean => /^\s*(#|$)/.test(line);
const indentationOf = (line = ''): number => line.length - line.trimStart().length;

/** The id of the task or trigger that the first word of a line belongs to. */
export function taskAtLine(source: string, places: Places, line: number): string | undefined {
  return taskAt(source, places, line, 1);
}

/** The line on which a task or trigger gives its id. */
export function lineOfTask(source: string, places: Places, taskId: string): number | undefined {
  const written = new RegExp(`\\bid:\\s*(["']?)${taskId.replace(/[^\w]/g, '\\$&')}\\1(?![\\w.-])`);
  for (const [index, text] of source.split('\n').entries()) {
    const match = written.exec(text);
    if (match && holdsTasks.test(places.pathAt(index + 1, match.index + 1) ?? '')) return index + 1;
  }
  return undefined;
}

function textAt(source: string, line: number, from: number, to: number): string {
  const text = source.split('\n', line)[line - 1] ?? '';
  return text.slice(from - 1, to - 1).replace(/^(["'])(.*)\1$/, '$2');
}
