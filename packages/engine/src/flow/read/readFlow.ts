import type { Flow } from '@millrace/contract';
import type { Findings } from '../findings.ts';
import { type Data, Fields } from './fields.ts';
import { readInputs, readOutputs } from './readInputs.ts';
import { readLabels } from './readLabels.ts';
import { readRetry } from './readRetry.ts';
import { readChecks, readConcurrency, readPluginDefaults, readSla } from './readSettings.ts';
import { TaskReader } from './readTask.ts';
import { readListeners, readTriggers } from './readTriggers.ts';

const flowProperties: ReadonlySet<string> = new Set([
  'id',
  'namespace',
  'revision',
  'description',
  'labels',
  'inputs',
  'variables',
  'tasks',
  'errors',
  'finally',
  'afterExecution',
  'listeners',
  'triggers',
  'pluginDefaults',
  'taskDefaults',
  'concurrency',
  'outputs',
  'retry',
  'sla',
  'checks',
  'disabled',
  'deleted',
  // Clients that send back a flow as the API returned it include this; the server uses the tenant of the
  // path.
  'tenantId',
]);

const idPattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/;
const namespacePattern = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Reads the data of a document as a flow. It always returns as much of the flow as it can read, so that an
 * editor can draw unfinished text; the findings say whether the flow can be saved.
 */
export function readFlow(data: Data, findings: Findings): { flow: Flow; sourceRevision?: number } {
  const fields = new Fields(data, [], findings);
  fields.refuseUnknown(flowProperties);
  const id = readName(fields, 'id', idPattern, 100);
  const namespace = readName(fields, 'namespace', namespacePattern, 150);
  const sourceRevision = fields.integer('revision', 1);
  const description = fields.text('description');
  const variables = fields.map('variables');
  const reader = new TaskReader(findings);
  const tasks = reader.readList(fields, 'tasks') ?? [];
  if (fields.get('tasks') === undefined || fields.list('tasks')?.length === 0) {
    findings.error(['tasks'], 'Each flow must have at least one task');
  }
  const lists = {
    errors: reader.readList(fields, 'errors'),
    finally: reader.readList(fields, 'finally'),
    afterExecution: reader.readList(fields, 'afterExecution'),
    listeners: readListeners(fields, reader),
  };
  const parts = {
    labels: readLabels(fields),
    inputs: readInputs(fields),
    outputs: readOutputs(fields),
    triggers: readTriggers(fields),
    pluginDefaults: readPluginDefaults(fields),
    concurrency: readConcurrency(fields),
    retry: readRetry(fields),
    sla: readSla(fields),
    checks: readChecks(fields),
  };
  const flow: Flow = {
    id: id ?? '',
    namespace: namespace ?? '',
    revision: 0,
    ...withoutAbsent({ description, variables, ...parts }),
    tasks,
    ...withoutAbsent(lists),
    disabled: fields.flag('disabled') ?? false,
    deleted: false,
  };
  return { flow, ...(sourceRevision !== undefined && { sourceRevision }) };
}

function readName(
  fields: Fields,
  name: 'id' | 'namespace',
  pattern: RegExp,
  maximum: number,
): string | undefined {
  const value = fields.requiredText(name);
  if (value === undefined) return undefined;
  const letters = name === 'id' ? 'letters' : 'lower-case letters';
  if (!pattern.test(value)) {
    fields.wrong(name, `${letters} and digits and ". _ -" and a letter or digit at the start`);
  } else if (value.length > maximum) fields.wrong(name, `at most ${maximum} characters`);
  return value;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(values: T): Present<T> {
  // Every undefined value is removed here, which the type of Object.entries cannot express.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
