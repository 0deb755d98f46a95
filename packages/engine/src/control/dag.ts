import type { Task } from '@millrace/contract';
import type { Container } from './control.ts';
import { sideBySide } from './plan.ts';
import { countOf } from './tasks.ts';

interface DagTask {
  readonly task: Task;
  readonly dependsOn?: readonly string[];
}

/**
 * Parallel, but a child waits until all its dependencies have ended. A disabled dependency counts as ended.
 */
export const dag: Container = {
  kind: 'container',
  plan: (context) => {
    const entries = (context.task.tasks as readonly DagTask[] | undefined) ?? [];
    const tasks = entries.map((entry) => entry.task);
    const running = new Set(tasks.filter((task) => task.disabled !== true).map((task) => task.id));
    return {
      ...sideBySide(tasks, countOf(context, 'concurrent', { fallback: 0, min: 0 })),
      dependsOn: new Map(
        entries.map((entry) => [entry.task.id, (entry.dependsOn ?? []).filter((id) => running.has(id))]),
      ),
    };
  },
};
