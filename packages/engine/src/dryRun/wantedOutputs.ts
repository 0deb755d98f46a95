import type { Flow } from '@millrace/contract';

/** The parts of a task's outputs that the flow reads, as a tree of keys. */
export interface Wanted {
  readonly keys: Map<string, Wanted>;
  isList: boolean;
  /** The text is parsed as JSON; the tree describes the parsed value. */
  isJson: boolean;
}

export const newWanted = (): Wanted => ({ keys: new Map(), isList: false, isJson: false });

const reference =
  /\boutputs(?:\.(\w+)|\[\s*['"]([^'"]+)['"]\s*\])((?:\s*\.\s*\w+|\[\s*(?:\d+|['"][^'"]*['"])\s*\])*)/g;
const step = /\.\s*(\w+)|\[\s*(?:(\d+)|['"]([^'"]*)['"])\s*\]/g;
const surroundings = 200;
const parsedBefore = /\b(?:json|fromJson)\(\s*$/;
const parsedAfter = /^\s*\)((?:\s*\.\s*\w+|\[\s*(?:\d+|['"][^'"]*['"])\s*\])*)/;
const loopBefore = /\{%-?\s*for\s+\w+\s+in\s+$/;

/**
 * Finds the outputs that the expressions of a flow read. Many types declare a part of their outputs only as
 * "any value"; generated outputs have there what the flow expects.
 */
export function wantedOutputs(flow: Flow): ReadonlyMap<string, Wanted> {
  const tasks = new Map<string, Wanted>();
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value === 'string') return readText(value, key, tasks);
    if (typeof value !== 'object' || value === null || depth > 60) return;
    for (const [name, inner] of Object.entries(value))
      visit(inner, Array.isArray(value) ? key : name, depth + 1);
  };
  visit(flow, '', 0);
  return tasks;
}

function readText(text: string, key: string, tasks: Map<string, Wanted>): void {
  if (!text.includes('outputs')) return;
  for (const found of text.matchAll(reference)) {
    const id = found[1] ?? found[2] ?? '';
    // Only the surroundings count: whole texts would make this quadratic.
    const before = text.slice(Math.max(0, found.index - surroundings), found.index);
    const end = found.index + found[0].length;
    const after = text.slice(end, end + surroundings);
    let at = descend(childOf(tasks, id), found[3] ?? '');
    const parsed = parsedBefore.test(before) ? parsedAfter.exec(after) : undefined;
    if (parsed) {
      at.isJson = true;
      at = descend(at, parsed[1] ?? '');
    } else if (/^\s*\|\s*(jq|fromJson)\b/.test(after)) at.isJson = true;
    // `outputs.loop[taskrun.value]` names a run, not a part of the outputs.
    const isWhole = !after.startsWith('[');
    if (isWhole && (loopBefore.test(before) || (key === 'values' && /^\s*\{\{-?\s*$/.test(before))))
      at.isList = true;
  }
}

function descend(from: Wanted, path: string): Wanted {
  let at = from;
  for (const [, name, index, quoted] of path.matchAll(step)) {
    if (index !== undefined) at.isList = true;
    at = childOf(at.keys, index ?? name ?? quoted ?? '');
  }
  return at;
}

function childOf(map: Map<string, Wanted>, key: string): Wanted {
  let child = map.get(key);
  if (!child) {
    child = newWanted();
    map.set(key, child);
  }
  return child;
}
