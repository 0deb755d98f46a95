import type { Path } from '@millrace/engine';
import { isMap } from '../source/edit.ts';

/** Where the task or trigger of that id stands. Inputs and outputs have ids too, and none of them is a task. */
export function findElement(data: unknown, id: string): Path | undefined {
  const parts = ['tasks', 'triggers', 'errors', 'finally', 'afterExecution', 'listeners'];
  for (const part of isMap(data) ? parts : []) {
    const found = findBelow((data as Record<string, unknown>)[part], id, [part]);
    if (found) return found;
  }
  return undefined;
}

function findBelow(value: unknown, id: string, path: Path): Path | undefined {
  if (isMap(value) && value.id === id && typeof value.type === 'string') return path;
  const below: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [step, inner] of below) {
    const found = findBelow(inner, id, [...path, step]);
    if (found) return found;
  }
  return undefined;
}
