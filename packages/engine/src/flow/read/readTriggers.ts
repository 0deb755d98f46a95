import type { Listener, StateType, TriggerDefinition } from '@millrace/contract';
import { logLevels, stateTypes } from '@millrace/contract';
import type { Fields } from './fields.ts';
import { readLabels } from './readLabels.ts';
import { readId, readType, readWorkerGroup, type TaskReader } from './readTask.ts';

/** The properties that every trigger has; the rest belongs to its type. */
export const commonTriggerProperties: ReadonlySet<string> = new Set([
  'id',
  'type',
  'version',
  'description',
  'conditions',
  'when',
  'disabled',
  'workerGroup',
  'workerSelector',
  'logLevel',
  'minLogLevel',
  'labels',
  'stopAfter',
  'inputs',
  'logToFile',
  'allowConcurrent',
  'failOnTriggerError',
]);

export function readTriggers(owner: Fields): TriggerDefinition[] | undefined {
  return owner.each('triggers', readTrigger);
}

function readTrigger(fields: Fields): TriggerDefinition | undefined {
  const id = readId(fields, 'trigger');
  const type = readType(fields);
  const disabled = fields.flag('disabled');
  const description = fields.text('description');
  fields.flag('logToFile');
  fields.oneOf('logLevel', logLevels);
  fields.oneOf('minLogLevel', logLevels);
  // There is nothing that could fail or be cancelled: a trigger waits for its workers.
  readWorkerGroup(fields, ['WAIT']);
  checkConditions(fields);
  fields.text('when');
  readLabels(fields);
  const stopAfter = readStopAfter(fields);
  if (id === undefined) return undefined;
  const { stopAfter: _written, ...rest } = fields.data;
  return {
    ...rest,
    id,
    type: type ?? '',
    ...(disabled !== undefined && { disabled }),
    ...(description !== undefined && { description }),
    ...(stopAfter && { stopAfter }),
  };
}

function readStopAfter(fields: Fields): StateType[] | undefined {
  return fields.list('stopAfter')?.flatMap((value, index) => {
    const state = stateTypes.find((candidate) => candidate === value);
    if (!state) {
      fields.findings.error([...fields.at('stopAfter'), index], `${String(value)} is not a state`);
    }
    return state ?? [];
  });
}

/** Each condition needs a type, which defines its other properties. */
function checkConditions(owner: Fields): void {
  for (const condition of owner.items('conditions')) readType(condition);
}

export function readListeners(owner: Fields, tasks: TaskReader): Listener[] | undefined {
  if (owner.get('listeners') === undefined) return undefined;
  owner.findings.deprecation(owner.at('listeners'), 'listeners are replaced by afterExecution');
  return owner.items('listeners').map((fields) => {
    fields.refuseUnknown(new Set(['description', 'conditions', 'tasks']));
    checkConditions(fields);
    const list = tasks.readList(fields, 'tasks') ?? [];
    if (list.length === 0) fields.findings.error(fields.at('tasks'), 'at least one task is needed');
    const description = fields.text('description');
    const conditions = fields.items('conditions').flatMap((condition) => {
      const { type } = condition.data;
      return typeof type === 'string' ? [{ ...condition.data, type }] : [];
    });
    return {
      ...(description !== undefined && { description }),
      ...(conditions.length > 0 && { conditions }),
      tasks: list,
    };
  });
}
