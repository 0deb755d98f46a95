import type { ParsedFlow } from '@millrace/engine';

type Places = Pick<ParsedFlow, 'rangeOf' | 'pathAt'>;

/** Where tasks and triggers are written; ids elsewhere (inputs, outputs, SLAs) name other things. */
const holdsTasks = /^(tasks|errors|finally|afterExecution|listeners|triggers)\[/;

/** The id of the innermost task or trigger around a place in the text. */
export function taskAt(source: string, places: Places, line: number, column: number): string | undefined {
  let path = places.pathAt(line, column) ?? '';
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

/** The same for a whole line: what its first word belongs to. */
export function taskAtLine(source: string, places: Places, line: number): string | undefined {
  const text = source.split('\n', line)[line - 1] ?? '';
  return taskAt(source, places, line, text.search(/[^\s-]/) + 1);
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
