import type { Op } from '../port/op.ts';

/** The rows that a unit touches: units with a common key are committed separately and in order. */
export function keysOf(unit: readonly Op[]): string[] {
  const keys = new Set<string>();
  for (const op of unit) {
    const key = ownerOf(op);
    if (key !== undefined) keys.add(key);
    if (op.op === 'execution.insert' && op.uniqueKey !== undefined) keys.add(`key ${op.uniqueKey}`);
  }
  return [...keys];
}

/**
 * Whether the operations of a unit can go into one statement. All commands of a statement see the rows as they were
 * before it, so no row may be written by two of them; a unit that does is run operation by operation.
 */
export function fusable(unit: readonly Op[]): boolean {
  const rows = new Set<string>();
  const deleted = new Set<string>();
  const touched = new Set<string>();
  for (const op of unit) {
    // A sweep may touch the rows of any other operation on the same table.
    if (op.op === 'kv.sweep' || op.op === 'document.sweep') return false;
    const owner = ownerOf(op);
    if (owner === undefined) continue;
    if (op.op === 'execution.delete') deleted.add(owner);
    else touched.add(owner);
    if (op.op.startsWith('taskRun.') || op.op === 'log.insert' || op.op === 'metric.insert') continue;
    const row = op.op === 'event.append' ? `${owner} event ${op.seq}` : owner;
    if (rows.has(row)) return false;
    rows.add(row);
  }
  const has = (name: Op['op']): boolean => unit.some((op) => op.op === name);
  if (has('log.delete') && has('log.insert')) return false;
  if (has('metric.delete') && has('metric.insert')) return false;
  return ![...deleted].some((owner) => touched.has(owner));
}

function ownerOf(op: Op): string | undefined {
  switch (op.op) {
    case 'execution.insert':
    case 'execution.update':
      return `execution ${op.execution.id}`;
    case 'execution.delete':
      return `execution ${op.id}`;
    case 'taskRun.put':
      return `execution ${op.taskRun.executionId}`;
    case 'taskRun.delete':
    case 'event.append':
    case 'metric.delete':
      return `execution ${op.executionId}`;
    case 'log.insert':
      return op.log.executionId === undefined ? undefined : `execution ${op.log.executionId}`;
    case 'log.delete':
      return 'flowId' in op.selection
        ? `logs ${JSON.stringify([op.selection.namespace, op.selection.flowId])}`
        : `execution ${op.selection.executionId}`;
    case 'log.remove':
      return `log entries ${op.ids[0]}`;
    case 'metric.insert':
      return op.metric.executionId === undefined ? undefined : `execution ${op.metric.executionId}`;
    case 'flow.insert':
    case 'flow.insertDraft':
      return `flow ${JSON.stringify([op.flow.namespace, op.flow.id])}`;
    case 'flow.deleteRevision':
      return `flow ${JSON.stringify([op.namespace, op.id])}`;
    case 'trigger.put': {
      const { namespace, flowId, triggerId } = op.trigger;
      return `trigger ${JSON.stringify([namespace, flowId, triggerId])}`;
    }
    case 'trigger.delete':
      return `trigger ${JSON.stringify([op.namespace, op.flowId, op.triggerId])}`;
    case 'window.put':
      return windowOf(op.window);
    case 'window.delete':
    case 'window.clear':
      return windowOf(op);
    case 'flowEvent.put':
    case 'flowEvent.take': {
      const { executionId, position, namespace, flowId, triggerId } = op.event;
      return `event ${JSON.stringify([executionId, position, namespace, flowId, triggerId])}`;
    }
    case 'kv.put':
      return `kv ${JSON.stringify([op.entry.namespace, op.entry.key])}`;
    case 'kv.delete':
      return `kv ${JSON.stringify([op.namespace, op.key])}`;
    case 'kv.sweep':
      return 'kv sweep';
    case 'dashboard.put':
      return `dashboard ${JSON.stringify(op.dashboard.id)}`;
    case 'dashboard.delete':
      return `dashboard ${JSON.stringify(op.id)}`;
    case 'flowTest.insert':
      return `test ${JSON.stringify([op.test.namespace, op.test.id])}`;
    case 'flowTest.result':
      return `test ${JSON.stringify([op.namespace, op.id])}`;
    case 'document.put':
      return `document ${JSON.stringify([op.document.kind, op.document.id])}`;
    case 'document.delete':
      return `document ${JSON.stringify([op.kind, op.id])}`;
    case 'document.sweep':
      return `documents ${op.kind}`;
    case 'template.put':
      return `template ${JSON.stringify([op.template.namespace, op.template.id])}`;
    case 'template.delete':
      return `template ${JSON.stringify([op.namespace, op.id])}`;
    case 'fileNamespace.put':
      return `files ${op.namespace}`;
    // One shared key: these are rare, and one operation can touch the sessions of many users.
    case 'session.open':
    case 'session.renew':
    case 'session.delete':
      return 'sessions';
    case 'setting.put':
      return `setting ${op.key}`;
    case 'message.put':
      return `message ${op.message.id}`;
    case 'message.take':
    case 'message.refuse':
      return `message ${op.id}`;
    case 'attempt.begin':
    case 'attempt.end':
    case 'attempt.want':
      return `attempt ${op.attempt.taskRunId} ${op.attempt.attempt}`;
    case 'folder.hold':
      return `folder ${op.folder.directory}`;
    case 'folder.drop':
      return `folder ${op.directory}`;
    case 'job.add':
      return op.key === undefined ? undefined : `job ${op.key}`;
  }
}

/** By trigger, not by condition: one operation can touch all windows of a trigger. */
const windowOf = (key: { namespace: string; flowId: string; triggerId: string }): string =>
  `window ${JSON.stringify([key.namespace, key.flowId, key.triggerId])}`;
