import { isData } from '../flow/read/fields.ts';
import { chainOf, type TaskPlace } from './taskPlaces.ts';

/** When another task runs, seen from one that reads its outputs. */
export type RunOrder =
  /** It may have ended. */
  | 'before'
  | 'later'
  /** At the same time, without an order. */
  | 'parallel'
  /** In a branch that excludes this one. */
  | 'excluded'
  | 'itself'
  /** It is inside the reading task. */
  | 'inside';

export function runOrder(reader: TaskPlace, other: TaskPlace): RunOrder {
  const from = chainOf(reader);
  const to = chainOf(other);
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared += 1;
  const own = from[shared];
  const its = to[shared];
  if (!own) return its ? 'inside' : 'itself';
  // A task around the reader sets some outputs when it starts.
  if (!its) return 'before';
  return own.branch === its.branch ? inOneList(own, its) : inTwoLists(own, its);
}

function inOneList(own: TaskPlace, its: TaskPlace): RunOrder {
  const { parent } = own;
  const inOrder = its.index < own.index ? 'before' : 'later';
  // Handlers run in order, whatever holds them.
  if (own.branch !== 'tasks') return inOrder;
  switch (parent?.control) {
    case 'core.flow.Parallel':
      return parent.task.concurrent === 1 ? inOrder : 'parallel';
    case 'core.flow.EachParallel':
      return 'parallel';
    case 'core.flow.Dag':
      return inDag(parent, own, its);
    default:
      return inOrder;
  }
}

function inDag(dag: TaskPlace, own: TaskPlace, its: TaskPlace): RunOrder {
  const dependencies = new Map<string, readonly unknown[]>();
  for (const entry of Array.isArray(dag.task.tasks) ? dag.task.tasks : []) {
    if (!isData(entry) || !isData(entry.task)) continue;
    dependencies.set(String(entry.task.id), Array.isArray(entry.dependsOn) ? entry.dependsOn : []);
  }
  const depends = (id: string, on: string): boolean => {
    const seen = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const dependency of dependencies.get(next) ?? []) {
        if (dependency === on) return true;
        const name = String(dependency);
        if (!seen.has(name)) open.push(name);
        seen.add(name);
      }
    }
    return false;
  };
  if (depends(own.task.id, its.task.id)) return 'before';
  return depends(its.task.id, own.task.id) ? 'later' : 'parallel';
}

/** Handlers run after the main branch, in this order. */
const ranks: Readonly<Record<string, number>> = { errors: 1, finally: 2, listeners: 3, afterExecution: 4 };

function inTwoLists(own: TaskPlace, its: TaskPlace): RunOrder {
  const ownRank = ranks[own.branch] ?? 0;
  const itsRank = ranks[its.branch] ?? 0;
  if (ownRank === 0 && itsRank === 0) return 'excluded';
  return itsRank > ownRank ? 'later' : 'before';
}
