import {
  type ExecutionRecord,
  type Flow,
  type Label,
  type LogRecord,
  systemLabelPrefix,
  type TriggerDefinition,
} from '@millrace/contract';
import { type Host, render, type Variables } from '@millrace/engine';
import { messageOf } from '@millrace/plugins';
import { mainTenant } from '../http/tenant.ts';

/** The labels of a trigger, rendered. One that cannot be rendered is dropped, and told to `warn`. */
export async function renderLabels(
  labels: unknown,
  variables: Variables,
  host: Host,
  warn: (message: string) => void,
): Promise<Label[]> {
  const rendered: Label[] = [];
  for (const [key, value] of pairsOf(labels)) {
    if (key === '' || key.startsWith(systemLabelPrefix)) continue;
    try {
      rendered.push({ key, value: await render(String(value), variables, host) });
    } catch (error) {
      warn(`The label "${key}" of the trigger is left out: ${messageOf(error)}`);
    }
  }
  return rendered;
}

/** Labels are written as a map, or as a list of keys and values. */
function pairsOf(labels: unknown): [string, unknown][] {
  if (typeof labels !== 'object' || labels === null) return [];
  if (!Array.isArray(labels)) return Object.entries(labels);
  return labels.flatMap((label: unknown): [string, unknown][] =>
    typeof label === 'object' && label !== null && 'key' in label && 'value' in label
      ? [[String(label.key), label.value]]
      : [],
  );
}

/** A line in the log of a trigger; with an execution it shows there too. */
export function triggerLog(
  flow: Flow,
  trigger: TriggerDefinition,
  line: Pick<LogRecord, 'level' | 'message' | 'at'>,
  execution?: ExecutionRecord,
): LogRecord {
  return {
    tenantId: mainTenant,
    namespace: flow.namespace,
    flowId: flow.id,
    triggerId: trigger.id,
    ...(execution ? { executionId: execution.id } : {}),
    ...line,
  };
}
