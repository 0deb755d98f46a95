import type { Flow, Task } from '@millrace/contract';
import { controlTypeOf } from '../flow/controlType.ts';

type Branches = Readonly<Record<string, string>>;

/** The flow with its conditions replaced, so that the named tasks take the chosen branch. */
export function forceBranches(flow: Flow, branches: Branches | undefined): Flow {
  if (!branches || Object.keys(branches).length === 0) return flow;
  const force = <T>(value: T): T => forceIn(value, branches) as T; // Maps stay maps, lists stay lists.
  return {
    ...flow,
    tasks: force(flow.tasks),
    ...(flow.errors && { errors: force(flow.errors) }),
    ...(flow.finally && { finally: force(flow.finally) }),
    ...(flow.afterExecution && { afterExecution: force(flow.afterExecution) }),
    ...(flow.listeners && { listeners: force(flow.listeners) }),
  };
}

function forceIn(value: unknown, branches: Branches): unknown {
  if (Array.isArray(value)) return value.map((item) => forceIn(item, branches));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, forceIn(inner, branches)]),
  );
  const { id, type } = copy;
  if (typeof id !== 'string' || typeof type !== 'string' || !Object.hasOwn(branches, id)) return copy;
  return { ...copy, ...forced({ ...copy, id, type }, branches[id] ?? '') };
}

/** The key of a Switch that matches none of its cases. */
const noCase = '\u0000defaults';

function forced(task: Task, branch: string): Readonly<Record<string, unknown>> {
  if (branch === 'run' || branch === 'skip') return { runIf: branch === 'run' ? 'true' : 'false' };
  const control = controlTypeOf(task.type);
  if (control === 'core.flow.If') return { condition: branch === 'then' ? 'true' : 'false' };
  if (control === 'core.flow.Switch') return { value: branch === 'defaults' ? noCase : branch };
  return {};
}
