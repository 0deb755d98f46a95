import type { Path } from '@millrace/engine';
import { isMap, valueAt } from '../source/edit.ts';

export interface Users {
  /** The ids that would be removed and are used elsewhere. */
  readonly used: readonly string[];
  /** The tasks, triggers and other parts that use them, by id or by the name of their property. */
  readonly by: readonly string[];
}

/** The parts of a flow that read what stands at the path: outputs and states of tasks, inputs, variables. */
export function usersOf(data: unknown, path: Path): Users {
  const names = namesAt(valueAt(data, path), path);
  const texts = names.length === 0 ? [] : textsOutside(data, path);
  const used = new Set<string>();
  const by = new Set<string>();
  for (const { id, pattern } of names)
    for (const { text, owner } of texts)
      if (pattern.test(text)) {
        used.add(id);
        by.add(owner);
      }
  return { used: [...used], by: [...by] };
}

interface Name {
  readonly id: string;
  readonly pattern: RegExp;
}

function namesAt(value: unknown, path: Path): Name[] {
  const [part, key] = path;
  if (part === 'inputs') return idsIn(value).map((id) => ({ id, pattern: reads('inputs', id) }));
  if (part === 'variables') {
    const ids = typeof key === 'string' ? [key] : Object.keys(isMap(value) ? value : {});
    return ids.map((id) => ({ id, pattern: reads('vars', id) }));
  }
  if (part === 'outputs' || part === 'triggers') return [];
  return idsIn(value).map((id) => ({ id, pattern: reads('outputs|tasks', id) }));
}

/** `{{ outputs.id }}`, `{{ outputs["id"] }}` and, of iterations, `{{ iterationOutput("id") }}`. */
function reads(variable: string, id: string): RegExp {
  const name = id.replace(/[^\w]/g, '\\$&');
  return new RegExp(
    `\\b(?:${variable})\\s*(?:\\.\\s*${name}(?!\\w)|\\[\\s*["']${name}["']\\s*\\])|\\biterationOutput\\(\\s*["']${name}["']`,
  );
}

/** The ids of an element and of everything inside it. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (!isMap(value)) return [];
  const own = typeof value.id === 'string' && typeof value.type === 'string' ? [value.id] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
}

interface Text {
  readonly text: string;
  readonly owner: string;
}

/** Every expression of the flow beside what stands at the path, with the nearest element around it. */
function textsOutside(data: unknown, path: Path): Text[] {
  const removed = valueAt(data, path);
  const walk = (value: unknown, owner: string): Text[] => {
    if (value === removed && typeof value === 'object') return [];
    if (typeof value === 'string')
      return (value.match(/\{[{%].*?[%}]\}/gs) ?? []).map((text) => ({ text, owner }));
    if (Array.isArray(value)) return value.flatMap((item) => walk(item, owner));
    if (!isMap(value)) return [];
    const own = typeof value.id === 'string' ? value.id : owner;
    return Object.entries(value).flatMap(([key, item]) => walk(item, own === '' ? key : own));
  };
  const { id: _flow, ...parts } = isMap(data) ? data : {};
  return walk(parts, '');
}

/** The id of a task in a list, and of those in the same list that say they depend on it. */
export function dependentsOf(elements: readonly unknown[], index: number): { id: string; by: string[] } {
  const id = idOf(elements[index]);
  if (id === undefined) return { id: '', by: [] };
  const by = elements.flatMap((element, at) => {
    const dependsOn = isMap(element) ? element.dependsOn : undefined;
    return at !== index && Array.isArray(dependsOn) && dependsOn.includes(id) ? [idOf(element) ?? ''] : [];
  });
  return { id, by };
}

/** In a Dag a task stands below `task`, beside what it depends on. */
function idOf(element: unknown): string | undefined {
  const id = valueAt(element, ['task', 'id']) ?? valueAt(element, ['id']);
  return typeof id === 'string' ? id : undefined;
}
