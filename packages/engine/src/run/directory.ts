import { isTerminal } from '@millrace/contract';
import type { Event } from './event.ts';
import { runsAfterwards } from './interrupt.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

type Of<T extends Event['type']> = Extract<Event, { type: T }>;

/** After this many lost folders the tasks are not started again. */
const maxLosses = 3;

/** The name of the folder that the children of a task run share; it changes after a loss or a restart. */
export function directoryName(node: Node): string {
  const earlier = earlierFolders(node);
  return earlier === 0 ? node.record.id : `${node.record.id}.${earlier}`;
}

/** The task run whose children share the folder of this name. */
export const taskRunOfDirectory = (directory: string): string => directory.replace(/\.\d+$/, '');

/** How many folders this task run had before the current one. */
export const earlierFolders = ({ record }: Node): number =>
  Number(record.memo?.earlierFolders ?? record.memo?.folderLosses ?? 0);

/** The process that owns the folder, when it is not the one that runs the execution. */
export function holderOf({ record }: Node): { readonly holder?: string } {
  const holder = record.memo?.folderHolder;
  return typeof holder === 'string' ? { holder } : {};
}

/** The folder of a running task run; undefined when it has ended or the folder was not requested yet. */
export function folderOf(node: Node): { readonly directory: string; readonly phase: string } | undefined {
  const phase = node.record.memo?.directory;
  if (node.record.state.current !== 'RUNNING' || typeof phase !== 'string') return undefined;
  return { directory: directoryName(node), phase };
}

/** True while the folder is in use: children run in it, or its files must be collected. */
export function needsDirectory({ record, task }: Node): boolean {
  if (record.state.current !== 'RUNNING') return false;
  const phase = record.memo?.directory;
  const isCollected = task.outputFiles !== undefined || task.cache !== undefined;
  return phase === 'open' || (phase === 'closing' && isCollected);
}

export function emitDirectory(run: Run, node: Node, effect: 'openDirectory' | 'closeDirectory'): void {
  run.emit({
    effect,
    taskRunId: node.record.id,
    directory: directoryName(node),
    task: node.task,
    ...holderOf(node),
  });
}

export function onDirectory(run: Run, event: Of<'directory'>): boolean {
  const node = run.nodes.get(event.taskRunId);
  if (node?.record.state.current !== 'RUNNING') return false;
  // The event is about a folder that was already replaced.
  if (event.directory !== undefined && event.directory !== directoryName(node)) return false;
  if (event.error !== undefined) {
    failFolder(run, node, event.error);
    return true;
  }
  if (event.phase === 'closed') run.remember(node, { directory: 'closed' });
  else {
    const { holder } = event;
    run.remember(node, { directory: 'open', ...(holder === undefined ? {} : { folderHolder: holder }) });
  }
  if (event.outputs) run.update(node, { outputs: event.outputs });
  if (node.group) run.dirty.add(node.group);
  return true;
}

/**
 * [E346] The folder was lost with its server, files included: the children start again in a new folder, from
 * the first one. No child ever runs in an incomplete folder.
 */
export function onDirectoryLost(run: Run, event: Of<'directoryLost'>): boolean {
  const node = run.nodes.get(event.taskRunId);
  if (!node?.group || (event.directory !== undefined && event.directory !== directoryName(node)))
    return false;
  if (!needsDirectory(node)) {
    if (folderOf(node)?.phase !== 'closing') return false;
    // The folder is no longer needed, and its process can no longer report that it is closed.
    run.remember(node, { directory: 'closed' });
    run.dirty.add(node.group);
    return true;
  }
  if (isTerminal(run.state) && !runsAfterwards(node)) {
    // The execution ended while the children ran, so nothing starts again.
    for (const lane of node.group.allLanes())
      for (const child of lane.nodes) if (!isTerminal(child.record.state.current)) run.move(child, 'KILLED');
    run.remember(node, { directory: 'closed' });
    run.dirty.add(node.group);
    return true;
  }
  const folderLosses =
    Number(node.record.memo?.folderLosses ?? 0) + (event.isDrained || event.isShared ? 0 : 1);
  const children = [...node.group.allLanes()].flatMap((lane) => [...lane.nodes]);
  if (folderLosses >= maxLosses) {
    for (const child of children) if (!isTerminal(child.record.state.current)) run.move(child, 'KILLED');
    const reason = `The folder that these tasks share was lost ${folderLosses} times with its server; they are not started over again.`;
    failFolder(run, node, reason);
    return true;
  }
  run.removeAll(node.group);
  run.log('WARN', 'The folder that these tasks share was lost with its server; they start over.', node);
  const isRetrying = [...run.nodes.values()].some(({ record }) => record.state.current === 'RETRYING');
  if (run.state === 'RETRYING' && !isRetrying) run.moveExecution('RUNNING');
  reopenDirectory(run, node);
  run.remember(node, { folderLosses });
  return true;
}

/** Opens another folder: the previous one was lost or closed, and another child must run. */
export function reopenDirectory(run: Run, node: Node): void {
  run.remember(node, {
    directory: 'opening',
    earlierFolders: earlierFolders(node) + 1,
    folderHolder: null,
  });
  emitDirectory(run, node, 'openDirectory');
}

/** A task without its folder fails as if a child had failed: errors and finally run, then it ends. */
function failFolder(run: Run, node: Node, reason: string): void {
  run.log('ERROR', reason, node);
  run.remember(node, { directory: 'closed', folderFailed: true });
  if (node.group) run.dirty.add(node.group);
}
