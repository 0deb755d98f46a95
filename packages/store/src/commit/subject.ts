import type { Op } from '../port/op.ts';
import { Conflict } from '../port/store.ts';

/** Names the record that a guard checked, for the message of the Conflict. */
export function conflictOf(op: Op | undefined): Conflict {
  switch (op?.op) {
    case 'execution.insert':
      return new Conflict(
        op.uniqueKey === undefined
          ? `Execution ${JSON.stringify(op.execution.id)}`
          : `Execution ${JSON.stringify(op.execution.id)} with the unique key ${JSON.stringify(op.uniqueKey)}`,
      );
    case 'execution.update':
      return new Conflict(`Execution ${JSON.stringify(op.execution.id)}`);
    case 'execution.delete':
      return new Conflict(`Execution ${JSON.stringify(op.id)}`);
    case 'event.append':
      return new Conflict(`The event log of execution ${JSON.stringify(op.executionId)}`);
    case 'flow.insert':
    case 'flow.insertDraft':
      return new Conflict(`Flow ${JSON.stringify(`${op.flow.namespace}.${op.flow.id}`)}`);
    case 'flow.deleteRevision':
      return new Conflict(
        `Revision ${op.revision} of the flow ${JSON.stringify(`${op.namespace}.${op.id}`)}`,
      );
    case 'trigger.put': {
      const { namespace, flowId, triggerId } = op.trigger;
      return new Conflict(`Trigger ${JSON.stringify(`${namespace}.${flowId}.${triggerId}`)}`);
    }
    case 'window.put':
      return new Conflict(`The window ${JSON.stringify(op.window.conditionId)}`);
    case 'window.delete':
      return new Conflict(`The window ${JSON.stringify(op.conditionId)}`);
    case 'flowEvent.take':
      return new Conflict(`A state change of execution ${JSON.stringify(op.event.executionId)}`);
    case 'kv.put':
      return new Conflict(`The key ${JSON.stringify(op.entry.key)}`);
    case 'kv.delete':
      return new Conflict(`The key ${JSON.stringify(op.key)}`);
    case 'dashboard.put':
      return new Conflict(`Dashboard ${JSON.stringify(op.dashboard.id)}`);
    case 'dashboard.delete':
      return new Conflict(`Dashboard ${JSON.stringify(op.id)}`);
    case 'flowTest.insert':
      return new Conflict(`Test suite ${JSON.stringify(`${op.test.namespace}.${op.test.id}`)}`);
    case 'document.put':
      return new Conflict(`The record ${JSON.stringify(`${op.document.kind}/${op.document.id}`)}`);
    case 'document.delete':
      return new Conflict(`The record ${JSON.stringify(`${op.kind}/${op.id}`)}`);
    case 'template.put':
      return new Conflict(`Template ${JSON.stringify(`${op.template.namespace}.${op.template.id}`)}`);
    case 'template.delete':
      return new Conflict(`Template ${JSON.stringify(`${op.namespace}.${op.id}`)}`);
    case 'setting.put':
      return new Conflict(`The setting ${JSON.stringify(op.key)}`);
    case 'attempt.begin':
    case 'attempt.want':
      return new Conflict(
        `Attempt ${op.attempt.attempt} of the task run ${JSON.stringify(op.attempt.taskRunId)}`,
      );
    case 'folder.hold':
      return new Conflict(`The folder ${JSON.stringify(op.folder.directory)}`);
    default:
      return new Conflict('A row');
  }
}
