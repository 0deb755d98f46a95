import type { Flow, FlowForExecution, Task, TaskForExecution } from '@millrace/contract';
import { childLists } from './children.ts';
import { controlTypeOf } from './controlType.ts';
import { subflowTarget } from './subflowTarget.ts';

/** The shape of a task without its properties, for users who may only view executions. */
export function presentTask(task: Task): TaskForExecution {
  const children = childLists(task).flatMap((list) => list.tasks.map(presentTask));
  const target = subflowTarget(task);
  const onResume = controlTypeOf(task.type) === 'core.flow.Pause' ? task.onResume : undefined;
  return {
    id: task.id,
    type: task.type,
    ...(typeof task.version === 'string' && { version: task.version }),
    ...(children.length > 0 && { tasks: children }),
    ...(Array.isArray(onResume) && { inputs: onResume }),
    ...(target && { subflowId: target }),
  };
}

export function presentFlow(flow: Flow): FlowForExecution {
  return {
    ...(flow.tenantId !== undefined && { tenantId: flow.tenantId }),
    id: flow.id,
    namespace: flow.namespace,
    revision: flow.revision,
    ...(flow.inputs && { inputs: flow.inputs }),
    disabled: flow.disabled,
    deleted: flow.deleted,
    tasks: flow.tasks.map(presentTask),
    errors: (flow.errors ?? []).map(presentTask),
    finally: (flow.finally ?? []).map(presentTask),
    afterExecution: (flow.afterExecution ?? []).map(presentTask),
    triggers: (flow.triggers ?? []).map(({ id, type, version }) => ({
      id,
      type,
      ...(typeof version === 'string' && { version }),
    })),
  };
}
