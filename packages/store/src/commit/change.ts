import { controlKind } from '../port/document.ts';
import type { Op } from '../port/op.ts';
import type { TriggerKey } from '../port/queries.ts';
import type { StoreChange } from '../port/store.ts';

/**
 * The change that listeners receive for one group of units, each id once. Undefined when nothing relevant
 * changed.
 */
export function changeOf(units: readonly (readonly Op[])[]): StoreChange | undefined {
  const executionIds = new Set<string>();
  const logExecutionIds = new Set<string>();
  const messageOwners = new Set<string>();
  const triggers = new Map<string, TriggerKey>();
  const flows = new Map<string, { namespace: string; id: string }>();
  const templates = new Map<string, { namespace: string; id: string }>();
  let hasControls = false;
  for (const unit of units) {
    for (const op of unit) {
      switch (op.op) {
        case 'execution.insert':
        case 'execution.update':
          executionIds.add(op.execution.id);
          break;
        case 'execution.delete':
          executionIds.add(op.id);
          break;
        case 'taskRun.put':
          executionIds.add(op.taskRun.executionId);
          break;
        case 'taskRun.delete':
          executionIds.add(op.executionId);
          break;
        case 'message.put':
          if (op.message.owner !== undefined) messageOwners.add(op.message.owner);
          break;
        case 'message.take':
        case 'message.refuse':
          // The sender checks its message again when the execution has changed.
          executionIds.add(op.executionId);
          break;
        case 'trigger.put':
        case 'trigger.delete': {
          const { namespace, flowId, triggerId } = op.op === 'trigger.put' ? op.trigger : op;
          triggers.set(JSON.stringify([namespace, flowId, triggerId]), { namespace, flowId, triggerId });
          break;
        }
        case 'document.put':
        case 'document.delete':
          hasControls ||= (op.op === 'document.put' ? op.document.kind : op.kind) === controlKind;
          break;
        case 'log.insert':
          if (op.log.executionId !== undefined) logExecutionIds.add(op.log.executionId);
          break;
        case 'flow.insert':
        case 'flow.deleteRevision': {
          const { namespace, id } = op.op === 'flow.insert' ? op.flow : op;
          flows.set(JSON.stringify([namespace, id]), { namespace, id });
          break;
        }
        case 'template.put':
        case 'template.delete': {
          const { namespace, id } = op.op === 'template.put' ? op.template : op;
          templates.set(JSON.stringify([namespace, id]), { namespace, id });
          break;
        }
      }
    }
  }
  const changed = executionIds.size + logExecutionIds.size + flows.size + templates.size + messageOwners.size;
  if (changed + triggers.size === 0 && !hasControls) return undefined;
  return {
    executionIds: [...executionIds],
    logExecutionIds: [...logExecutionIds],
    flows: [...flows.values()],
    templates: [...templates.values()],
    ...(messageOwners.size > 0 ? { messageOwners: [...messageOwners] } : {}),
    ...(triggers.size > 0 ? { triggers: [...triggers.values()] } : {}),
    ...(hasControls ? { controls: true } : {}),
  };
}
