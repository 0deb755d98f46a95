import { isTerminal, type Task } from '@millrace/contract';
import type { Plan, Unit } from '../control/plan.ts';
import type { Lane } from './node.ts';

/** A task run that is due to be created. */
export interface Due {
  readonly task: Task;
  readonly unit: number;
  readonly value: string | undefined;
  readonly iteration: number | undefined;
}

/** The tasks that may start now in this lane. The caller creates a run for every one of them. */
export function takeDue(lane: Lane, plan: Plan): Due[] {
  const due: Due[] = [];
  if (lane.ready.size > 0) {
    const ready = [...lane.ready].sort((a, b) => a - b);
    lane.ready.clear();
    for (const index of ready) {
      const next = nextIn(lane, plan, index);
      if (next) due.push(dueOf(next, index, plan.unit(index)));
      else lane.close(index);
    }
  }
  due.push(...(plan.dependsOn ? dueOfDag(lane, plan, plan.dependsOn) : dueUnits(lane, plan)));
  return due;
}

/** True when everything the plan holds has been started and has ended. */
export const isDone = (lane: Lane, plan: Plan): boolean =>
  allStarted(lane, plan) && lane.openUnits === 0 && lane.open === 0 && lane.ready.size === 0;

/** True when something would start as soon as everything that runs has ended. */
export function startsMore(lane: Lane, plan: Plan): boolean {
  for (const index of lane.units.keys()) if (nextIn(lane, plan, index)) return true;
  for (let index = lane.nextUnit; index < plan.size; index++) if (!lane.units.has(index)) return true;
  return false;
}

const allStarted = (lane: Lane, plan: Plan): boolean =>
  (plan.dependsOn ? lane.units.size : lane.nextUnit) >= plan.size;

/** The task after the last one of the unit that has a run. */
function nextIn(lane: Lane, plan: Plan, index: number): Task | undefined {
  const progress = lane.units.get(index);
  if (!progress || index >= plan.size) return undefined;
  const { tasks } = plan.unit(index);
  const following = positionIn(tasks, progress.last.task.id) + 1;
  if (following === progress.runs) return tasks[following];
  // Tasks may have moved since these runs: a task before one that already has a run is not started.
  let highest = -1;
  for (const node of lane.nodes) {
    const position = node.unit === index ? positionIn(tasks, node.task.id) : -1;
    if (position < tasks.length) highest = Math.max(highest, position);
  }
  return tasks[highest + 1];
}

function dueUnits(lane: Lane, plan: Plan): Due[] {
  const due: Due[] = [];
  for (; lane.nextUnit < plan.size; lane.nextUnit++) {
    if (lane.units.has(lane.nextUnit)) continue;
    if (!hasRoom(lane, plan, due.length)) break;
    const unit = plan.unit(lane.nextUnit);
    due.push(dueOf(unit.tasks[0]!, lane.nextUnit, unit));
  }
  return due;
}

function dueOfDag(lane: Lane, plan: Plan, dependsOn: ReadonlyMap<string, readonly string[]>): Due[] {
  const due: Due[] = [];
  const seen = new Map(lane.nodes.map((node) => [node.task.id, node]));
  for (let index = 0; index < plan.size && hasRoom(lane, plan, due.length); index++) {
    const unit = plan.unit(index);
    const task = unit.tasks[0]!;
    if (seen.has(task.id)) continue;
    const isFree = (dependsOn.get(task.id) ?? []).every((id) => {
      const node = seen.get(id);
      return node !== undefined && isTerminal(node.record.state.current);
    });
    if (isFree) due.push(dueOf(task, index, unit));
  }
  return due;
}

const hasRoom = (lane: Lane, plan: Plan, starting: number): boolean =>
  plan.limit === 0 || lane.openUnits + starting < plan.limit;

function dueOf(task: Task, unit: number, { value, iteration }: Unit): Due {
  return { task, unit, value, iteration };
}

const positions = new WeakMap<readonly Task[], Map<string, number>>();

/** Found by id, so that positions stay correct when the list was edited between two revisions. */
function positionIn(tasks: readonly Task[], id: string): number {
  let known = positions.get(tasks);
  if (!known) {
    known = new Map(tasks.map((task, index) => [task.id, index]));
    positions.set(tasks, known);
  }
  return known.get(id) ?? tasks.length;
}
