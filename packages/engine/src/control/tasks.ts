import type { Task } from '@millrace/contract';
import type { ControlContext } from './control.ts';

/** A list of tasks inside a property. Validation has checked the shape when the flow was saved. */
export const tasksOf = (value: unknown): readonly Task[] => (Array.isArray(value) ? (value as Task[]) : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

export function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

/** A whole number of the task, or an expression that renders to one. Rendered once and remembered. */
export function countOf(
  context: ControlContext,
  name: string,
  { fallback, min, written = context.task[name] }: { fallback: number; min: number; written?: unknown },
): number {
  if (written === undefined || written === null) return fallback;
  const value = context.value(name, written);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value.replaceAll('_', '')) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min) return number;
  throw new Error(`"${name}" must be a whole number of at least ${min} but is ${JSON.stringify(value)}.`);
}

/** One of several words, or an expression that renders to one. Rendered once and remembered. */
export function choiceOf<const T extends string>(
  context: ControlContext,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const written = context.task[name];
  if (written === undefined || written === null) return choices[0];
  const text = context.text(name, textOf(written)).trim();
  const found = choices.find((choice) => choice === text);
  if (found) return found;
  throw new Error(`"${name}" must be one of ${choices.join(', ')} but is "${text}".`);
}

/** A switch of the task: true or false, or an expression that renders to one of them. Rendered once and remembered. */
export function flagOf(context: ControlContext, name: string, fallback: boolean): boolean {
  const written = context.task[name];
  if (written === undefined || written === null) return fallback;
  if (typeof written === 'boolean') return written;
  const text = context.text(name, textOf(written)).trim().toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error(`"${name}" must be true or false but rendered to "${text}".`);
}

/** A map of the task, or an expression that renders to the JSON of one. */
export function mapOf(context: ControlContext, name: string): Readonly<Record<string, unknown>> {
  const value = structureOf(context, name);
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new Error(`"${name}" must be a map or the JSON of one but is "${textOf(value)}".`);
}

/** A list of the task, or an expression that renders to the JSON of one. */
export function listOf(context: ControlContext, name: string): readonly unknown[] {
  const value = structureOf(context, name);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new Error(`"${name}" must be a list or the JSON of one but is "${textOf(value)}".`);
}

/** A property of the task, rendered; a text that is JSON is read. */
export function structureOf(context: ControlContext, name: string): unknown {
  const value = context.value(name, context.task[name]);
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
