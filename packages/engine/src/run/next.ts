import { isTerminal, type Task } from '@millrace/contract';
import type { Plan, Unit } from '../control/plan.ts';
import type { Lane, Node } from './node.ts';

/** A task run that is due to be created. */
export interface Due {
  readonly task: Task;
  readonly unit: number;
  readonly value: string | undefined;
  readonly iteration: number | undefined;
}

/** What may start now in this lane. Marks it as started: the caller creates every run it is given. */
export function takeDue(lane: Lane, plan: Plan): Due[] {
  const due: Due[] = [];
  const ready = lane.ready.length === 0 ? lane.ready : lane.ready.splice(0);
  if (ready.length > 1) ready.sort((a, b) => a.unit - b.unit);
  for (const node of ready) {
    const unit = plan.unit(node.unit);
    const next = unit.tasks[positionIn(unit.tasks, node.task.id) + 1];
    if (next) due.push(dueOf(next, node.unit, unit));
    else lane.openUnits--;
  }
  if (plan.dependsOn) due.push(...dueOfDag(lane, plan, plan.dependsOn));
  else {
    while (lane.startedUnits < plan.size && hasRoom(lane, plan)) {
      const unit = plan.unit(lane.startedUnits);
      due.push(dueOf(unit.tasks[0]!, lane.startedUnits, unit));
      lane.startedUnits++;
      lane.openUnits++;
    }
  }
  return due;
}

/** True when everything the plan holds has been started and has ended. */
export const isDone = (lane: Lane, plan: Plan): boolean =>
  lane.startedUnits >= plan.size && lane.openUnits === 0 && lane.open === 0 && lane.ready.length === 0;

/** Where a lane stands after its task runs were loaded or changed by an action: counted again from the runs. */
export function recount(lane: Lane, plan: Plan | undefined): void {
  const last = new Map<number, Node>();
  let highest = -1;
  for (const node of lane.nodes) {
    last.set(node.unit, node);
    if (node.unit > highest) highest = node.unit;
  }
  lane.startedUnits = plan?.dependsOn ? last.size : highest + 1;
  lane.openUnits = last.size;
  lane.ready.length = 0;
  for (const node of last.values()) if (hasEnded(node)) lane.ready.push(node);
}

const hasEnded = (node: Node): boolean => isTerminal(node.record.state.current);

function dueOfDag(lane: Lane, plan: Plan, dependsOn: ReadonlyMap<string, readonly string[]>): Due[] {
  const due: Due[] = [];
  const seen = new Map(lane.nodes.map((node) => [node.task.id, node]));
  for (let index = 0; index < plan.size && hasRoom(lane, plan); index++) {
    const unit = plan.unit(index);
    const task = unit.tasks[0]!;
    if (seen.has(task.id)) continue;
    const isFree = (dependsOn.get(task.id) ?? []).every((id) => {
      const node = seen.get(id);
      return node !== undefined && hasEnded(node);
    });
    if (!isFree) continue;
    due.push(dueOf(task, index, unit));
    lane.startedUnits++;
    lane.openUnits++;
  }
  return due;
}

const hasRoom = (lane: Lane, plan: Plan): boolean => plan.limit === 0 || lane.openUnits < plan.limit;

function dueOf(task: Task, unit: number, { value, iteration }: Unit): Due {
  return { task, unit, value, iteration };
}

const positions = new WeakMap<readonly Task[], Map<string, number>>();

/** Found by id, so that a list that was edited between two revisions still knows where it stands. */
function positionIn(tasks: readonly Task[], id: string): number {
  let known = positions.get(tasks);
  if (!known) {
    known = new Map(tasks.map((task, index) => [task.id, index]));
    positions.set(tasks, known);
  }
  return known.get(id) ?? tasks.length;
}
