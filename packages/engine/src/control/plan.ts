import type { Task } from '@millrace/contract';

/**
 * How a list of children is run. Units start in order, at most `limit` at a time (0: no limit); the tasks of one
 * unit run one after the other. A sequence is one unit, parallel tasks are a unit each, a loop has a unit per value.
 */
export interface Plan {
  readonly size: number;
  unit(index: number): Unit;
  /** The unit a task run belongs to, by its task and loop value; -1 when the plan does not know it. */
  find(taskId: string, value: string | undefined): number;
  readonly limit: number;
  /** How many values the loop has; absent for a plan that is no loop. */
  readonly iterations?: number;
  /** Ids a unit's task waits for; only a Dag has them. */
  readonly dependsOn?: ReadonlyMap<string, readonly string[]>;
  /** In accompanying branches a failed task does not stop the ones after it. */
  readonly failFast: boolean;
}

export interface Unit {
  readonly tasks: readonly Task[];
  readonly value?: string;
  readonly iteration?: number;
}

export const enabled = (tasks: readonly Task[] | undefined): readonly Task[] =>
  (tasks ?? []).filter((task) => task.disabled !== true);

export function sequence(tasks: readonly Task[] | undefined, failFast = true): Plan {
  const unit = { tasks: enabled(tasks) };
  return { size: unit.tasks.length === 0 ? 0 : 1, unit: () => unit, find: () => 0, limit: 1, failFast };
}

export function sideBySide(tasks: readonly Task[], limit: number): Plan {
  const units = enabled(tasks).map((task) => ({ tasks: [task] }));
  return {
    size: units.length,
    unit: (index) => units[index]!,
    find: (taskId) => units.findIndex((unit) => unit.tasks[0]?.id === taskId),
    limit,
    failFast: true,
  };
}

/** One unit per value; the tasks of a value run in order. */
export function perValue(values: readonly string[], tasks: readonly Task[], limit: number): Plan {
  const list = enabled(tasks);
  const indexOf = indexOfValue(values);
  return {
    size: list.length === 0 ? 0 : values.length,
    unit: (index) => ({ tasks: list, value: values[index]!, iteration: index }),
    find: (_, value) => indexOf(value),
    limit,
    iterations: values.length,
    failFast: true,
  };
}

/** One unit per value and task: nothing waits for anything. */
export function perPair(values: readonly string[], tasks: readonly Task[], limit: number): Plan {
  const list = enabled(tasks);
  const indexOf = indexOfValue(values);
  return {
    size: values.length * list.length,
    unit: (index) => ({
      tasks: [list[index % list.length]!],
      value: values[Math.floor(index / list.length)]!,
      iteration: Math.floor(index / list.length),
    }),
    find: (taskId, value) => {
      const at = indexOf(value);
      const task = list.findIndex((entry) => entry.id === taskId);
      return at < 0 || task < 0 ? -1 : at * list.length + task;
    },
    limit,
    iterations: values.length,
    failFast: true,
  };
}

/** Built on first use: a running loop never needs it, a reloaded loop needs it for every run. */
function indexOfValue(values: readonly string[]): (value: string | undefined) => number {
  let known: Map<string, number> | undefined;
  return (value) => {
    known ??= new Map(values.map((entry, index) => [entry, index]));
    return value === undefined ? -1 : (known.get(value) ?? -1);
  };
}
