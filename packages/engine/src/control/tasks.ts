import type { Task } from '@millrace/contract';

/** A list of tasks inside a property. Validation has checked the shape when the flow was saved. */
export const tasksOf = (value: unknown): readonly Task[] => (Array.isArray(value) ? (value as Task[]) : []);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

export function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}
