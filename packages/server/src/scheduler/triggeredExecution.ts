import {
  type ExecutionRecord,
  type Flow,
  type Label,
  type LogRecord,
  mainTenant,
  systemLabelPrefix,
  type TriggerDefinition,
} from '@millrace/contract';
import { createExecution, createFailedExecution } from '@millrace/engine';
import { type Host, render, renderDeep, type Variables } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import { type Op, throwIfUnavailable } from '@millrace/store';
import { type InputParts, readInputs } from '../actions/readInputs.ts';
import type { FlowEvents } from './flowEvents.ts';

type Values = Readonly<Record<string, unknown>>;

export interface TriggeredExecution {
  readonly id: string;
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  /** The `trigger` variable of the execution. */
  readonly triggerVariables: Values;
  /** More that the trigger's inputs and labels may use. */
  readonly variables?: Variables;
  /** Additional inputs, which override those of the trigger. */
  readonly inputs?: Values;
  readonly labels?: unknown;
  /** The file with the trigger's log lines, with `logToFile`. */
  readonly logFile?: string;
}

/** The execution that a trigger starts, with checked inputs. Labels that cannot be rendered go to `warn`. */
export async function makeTriggeredExecution(
  { id, flow, trigger, triggerVariables, variables, inputs, labels, logFile }: TriggeredExecution,
  warn: (message: string) => void,
  parts: InputParts & { readonly clock: () => number },
): Promise<ExecutionRecord> {
  const started = { id: trigger.id, type: trigger.type, variables: triggerVariables };
  const host = parts.host({ namespace: flow.namespace, execution: { id, trigger: started } });
  const seen = {
    ...variablesOf(flow, parts),
    execution: { id },
    trigger: triggerVariables,
    ...variables,
  };
  // `as`: a map stays a map.
  const given = trigger.inputs
    ? ((await renderDeep(trigger.inputs, seen, host)) as Record<string, unknown>)
    : undefined;
  return createExecution(flow, {
    id,
    tenantId: mainTenant,
    now: parts.clock(),
    inputs: await readInputs(flow, { ...given, ...inputs }, id, parts),
    labels: [
      ...(trigger.labels === undefined ? [] : await renderLabels(trigger.labels, seen, host, warn)),
      ...(labels === undefined ? [] : await renderLabels(labels, seen, host, warn)),
    ],
    trigger: logFile === undefined ? started : { ...started, logFile },
  });
}

/** The variables for expressions of a trigger before an execution exists. */
export function variablesOf(flow: Flow, { environment }: Pick<InputParts, 'environment'>): Variables {
  return {
    flow: { id: flow.id, namespace: flow.namespace, revision: flow.revision, tenantId: mainTenant },
    ...(flow.variables ? { vars: flow.variables } : {}),
    envs: environment.envs ?? {},
    globals: environment.globals ?? {},
  };
}

/** [E326] A failed execution that shows a trigger's error: its operations, and the events that follow. */
export function failedExecution(
  { flow, trigger, triggerVariables, id }: TriggeredExecution,
  message: string,
  parts: { readonly clock: () => number; readonly flowTriggers: FlowEvents },
): { readonly execution: ExecutionRecord; readonly ops: readonly Op[]; announce(): void } {
  const now = parts.clock();
  const execution = createFailedExecution(flow, {
    id,
    tenantId: mainTenant,
    now,
    trigger: { id: trigger.id, type: trigger.type, variables: triggerVariables },
  });
  const log = triggerLog(flow, trigger, { level: 'ERROR', message, at: now }, execution);
  const events = parts.flowTriggers.eventsOf(execution, 1);
  return {
    execution,
    ops: [{ op: 'log.insert', log }, ...events.map((event): Op => ({ op: 'flowEvent.put', event }))],
    announce: () => parts.flowTriggers.process(events),
  };
}

/** The rendered labels of a trigger. A label that cannot be rendered is dropped and reported to `warn`. */
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
      throwIfUnavailable(error);
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
