import { AppError, type Task } from '@millrace/contract';
import { readYaml } from '@millrace/engine';
import { stringify } from 'yaml';
import { findFlow } from './findFlow.ts';
import type { StoredFlow } from './flowCache.ts';
import { type SaveParts, updateFlow } from './saveFlow.ts';

interface TaskKey {
  readonly namespace: string;
  readonly id: string;
  readonly taskId: string;
}

/** Replaces one task by another. The source is serialized again, so comments are lost. */
export async function replaceTask(
  key: TaskKey,
  task: Task,
  parts: SaveParts,
  author?: string,
): Promise<StoredFlow> {
  const { record } = await findFlow(parts, key);
  if (task.id !== key.taskId) {
    const message = `the id "${task.id}" is not that of the task "${key.taskId}"`;
    throw new AppError('invalid-entity', `id: ${message}`, { errors: [{ path: 'id', message }] });
  }
  const reading = readYaml(record.source);
  if ('problem' in reading) throw new AppError('illegal-state', `the flow "${key.id}" cannot be read`);
  const { value, isFound } = replaceIn(reading.data, task);
  if (!isFound) throw new AppError('not-found', `there is no task "${task.id}" in the flow "${key.id}"`);
  return updateFlow(key, stringify(value), parts, { author });
}

/** Tasks lie in lists, at any depth; triggers, inputs and labels are no tasks. */
const otherLists = new Set(['triggers', 'inputs', 'outputs', 'labels', 'variables', 'sla', 'conditions']);

function replaceIn(value: unknown, task: Task): { value: unknown; isFound: boolean } {
  if (Array.isArray(value)) {
    const items = value.map((item) => replaceIn(item, task));
    return { value: items.map((item) => item.value), isFound: items.some((item) => item.isFound) };
  }
  if (typeof value !== 'object' || value === null) return { value, isFound: false };
  if ('id' in value && 'type' in value && value.id === task.id) return { value: task, isFound: true };
  let isFound = false;
  const entries = Object.entries(value).map(([key, item]) => {
    if (otherLists.has(key)) return [key, item] as const;
    const inner = replaceIn(item, task);
    isFound ||= inner.isFound;
    return [key, inner.value] as const;
  });
  return { value: Object.fromEntries(entries), isFound };
}
