import type { Flow, Task } from '@millrace/contract';
import { type Control, controlOf } from '../control/index.ts';
import { enabled, type Plan, sequence } from '../control/plan.ts';
import { tasksOf } from '../control/tasks.ts';
import { childLists } from '../flow/children.ts';
import type { Branch, Lane, Node } from './node.ts';

interface Entry {
  readonly task: Task;
  readonly branch: Branch;
}

/** A flow prepared for running: every task by id with its branch. */
export class FlowIndex {
  readonly flow: Flow;
  private readonly entries = new Map<string, Entry>();

  constructor(flow: Flow) {
    this.flow = flow;
    this.addAll(flow.tasks, 'tasks');
    this.addAll(flow.errors, 'errors');
    this.addAll(flow.finally, 'finally');
    this.addAll(flow.afterExecution, 'afterExecution');
    for (const listener of flow.listeners ?? []) this.addAll(listener.tasks, 'listeners');
  }

  task(id: string): Task | undefined {
    return this.entries.get(id)?.task;
  }

  branchOf(taskId: string): Branch {
    return this.entries.get(taskId)?.branch ?? 'tasks';
  }

  controlOf(task: Task): Control | undefined {
    return controlOf(task.type);
  }

  /** The task run in whose folder the runs of a lane work; errors and finally run outside of it. */
  folderOwner(lane: Lane): Node | undefined {
    const owner = lane.branch === 'tasks' ? lane.group.owner : undefined;
    const control = owner && this.controlOf(owner.task);
    return control?.kind === 'container' && control.sharesDirectory ? owner : undefined;
  }

  /** The branches that accompany the main one, where the definition has them. */
  accompanying(owner: Task | Flow): Partial<Record<Branch, Plan>> {
    return {
      ...planned('errors', tasksOf(owner.errors)),
      ...planned('finally', tasksOf(owner.finally)),
      ...('tasks' in owner && owner === this.flow
        ? planned('afterExecution', tasksOf(owner.afterExecution))
        : {}),
    };
  }

  private addAll(tasks: readonly Task[] | undefined, branch: Branch): void {
    for (const task of tasks ?? []) {
      this.entries.set(task.id, { task, branch });
      for (const list of childLists(task)) {
        this.addAll(
          list.tasks,
          list.branch === 'errors' || list.branch === 'finally' ? list.branch : 'tasks',
        );
      }
    }
  }
}

const planned = (branch: Branch, tasks: readonly Task[]): Partial<Record<Branch, Plan>> =>
  enabled(tasks).length === 0 ? {} : { [branch]: sequence(tasks, false) };

const known = new WeakMap<Flow, FlowIndex>();

/** Made once per parsed flow, however many executions share it. */
export function indexOf(flow: Flow): FlowIndex {
  let index = known.get(flow);
  if (!index) {
    index = new FlowIndex(flow);
    known.set(flow, index);
  }
  return index;
}
