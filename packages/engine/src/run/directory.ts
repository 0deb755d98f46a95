import { isTerminal } from '@millrace/contract';
import type { Event } from './event.ts';
import { runsAfterwards } from './interrupt.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

type Of<T extends Event['type']> = Extract<Event, { type: T }>;

/** Tasks whose folder was lost this often are not started over once more. */
const maxLosses = 3;

/** The name of the folder that the children of a task run share. After a loss or a restart it is another one. */
export function directoryName(node: Node): string {
  const earlier = earlierFolders(node);
  return earlier === 0 ? node.record.id : `${node.record.id}.${earlier}`;
}

/** The task run whose children share the folder of this name. */
export const taskRunOfDirectory = (directory: string): string => directory.replace(/\.\d+$/, '');

/** How many folders this task run had before the current one. */
export const earlierFolders = ({ record }: Node): number =>
  Number(record.memo?.earlierFolders ?? record.memo?.folderLosses ?? 0);

/** Who has the folder, when that is another process than the one that carries the execution on. */
export function holderOf({ record }: Node): { readonly holder?: string } {
  const holder = record.memo?.folderHolder;
  return typeof holder === 'string' ? { holder } : {};
}

/** The folder of a task run as far as it matters: nothing of one that has ended or was not asked for yet. */
export function folderOf(node: Node): { readonly directory: string; readonly phase: string } | undefined {
  const phase = node.record.memo?.directory;
  if (node.record.state.current !== 'RUNNING' || typeof phase !== 'string') return undefined;
  return { directory: directoryName(node), phase };
}

/** Whether what is in the folder still matters: children work in it, or its files are to be collected. */
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
  // An answer about a folder that is given up already.
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
 * [E346] The folder is gone with its machine, and with it whatever the children have left there: they start over, the
 * first one first, in a new folder. None of them ever works in half a folder.
 */
export function onDirectoryLost(run: Run, event: Of<'directoryLost'>): boolean {
  const node = run.nodes.get(event.taskRunId);
  if (!node?.group || (event.directory !== undefined && event.directory !== directoryName(node)))
    return false;
  if (!needsDirectory(node)) {
    if (folderOf(node)?.phase !== 'closing') return false;
    // Nobody wants anything of it any more, and nobody is left to say that it is closed.
    run.remember(node, { directory: 'closed' });
    run.dirty.add(node.group);
    return true;
  }
  if (isTerminal(run.state) && !runsAfterwards(node)) {
    // The execution ended while they ran: nothing is started over.
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
  for (const child of children) run.remove(child);
  run.log('WARN', 'The folder that these tasks share was lost with its server; they start over.', node);
  const isRetrying = [...run.nodes.values()].some(({ record }) => record.state.current === 'RETRYING');
  if (run.state === 'RETRYING' && !isRetrying) run.moveExecution('RUNNING');
  reopenDirectory(run, node);
  run.remember(node, { folderLosses });
  return true;
}

/** The folder is gone since the children ended, and another one is to start. */
export function reopenDirectory(run: Run, node: Node): void {
  run.remember(node, {
    directory: 'opening',
    earlierFolders: earlierFolders(node) + 1,
    folderHolder: null,
  });
  emitDirectory(run, node, 'openDirectory');
}

/** Without its folder the task has failed as if one of its children had: its errors and finally run, then it ends. */
function failFolder(run: Run, node: Node, reason: string): void {
  run.log('ERROR', reason, node);
  run.remember(node, { directory: 'closed', folderFailed: true });
  if (node.group) run.dirty.add(node.group);
}
