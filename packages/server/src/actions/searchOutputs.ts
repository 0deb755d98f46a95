import type { outputs, TaskRunRecord } from '@millrace/contract';
import { hideSealed } from '@millrace/engine';

type Found = outputs.FoundOutput;

const mostResults = 200;
const longestText = 200;
const maxDepth = 64;

/**
 * Finds values in the outputs of task runs whose name or text contains the words, in any case. Returns the first
 * ones, and how many there are.
 */
export function searchOutputs(
  taskRuns: readonly TaskRunRecord[],
  words: string,
): { readonly results: readonly Found[]; readonly total: number } {
  const wanted = words.toLowerCase();
  const results: Found[] = [];
  let total = 0;
  for (const { id, taskId, value, outputs: own } of taskRuns) {
    if (own === undefined) continue;
    visit(hideSealed(own), '', 0, (path, text) => {
      const at = text.toLowerCase().indexOf(wanted);
      if (at < 0 && !path.toLowerCase().includes(wanted)) return;
      total++;
      if (results.length >= mostResults) return;
      const loop = value === undefined ? {} : { value };
      results.push({ taskRunId: id, taskId, ...loop, path, text: excerpt(text, at) });
    });
  }
  return { results, total };
}

/** Visits every value that holds no others. */
function visit(
  value: unknown,
  path: string,
  depth: number,
  found: (path: string, text: string) => void,
): void {
  if (typeof value !== 'object' || value === null)
    return found(path, typeof value === 'string' ? value : JSON.stringify(value));
  if (depth >= maxDepth) return;
  const isList = Array.isArray(value);
  for (const [name, part] of Object.entries(value)) {
    const below = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    visit(part, below, depth + 1, found);
  }
}

/** The text around the place that was found. */
function excerpt(text: string, at: number): string {
  if (text.length <= longestText) return text;
  const from = Math.max(0, Math.min(at - 40, text.length - longestText));
  const cut = text.slice(from, from + longestText);
  return `${from > 0 ? '…' : ''}${cut}${from + longestText < text.length ? '…' : ''}`;
}
