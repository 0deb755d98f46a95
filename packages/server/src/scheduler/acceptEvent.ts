import { createHash } from 'node:crypto';
import type { ExecutionRecord, Flow, TriggerDefinition } from '@millrace/contract';
import { mainTenant } from '@millrace/contract';
import { allHold, conditionsOfTrigger } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import { Conflict, type Op, type Store, throwIfUnavailable } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { InputParts } from '../actions/readInputs.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { ProcessLog } from '../processLog.ts';
import type { RecordedWith } from './evaluationJob.ts';
import type { FlowEvents } from './flowEvents.ts';
import { failedExecution, makeTriggeredExecution, triggerLog, variablesOf } from './triggeredExecution.ts';
import { serverZoneRules } from './zone.ts';

export type EventParts = InputParts & {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly flowTriggers: FlowEvents;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: ProcessLog;
};

export interface TriggerEvent extends RecordedWith {
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  readonly executionId: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

/** The write of the trigger's row that commits with an event; the row may wait for a started execution. */
export type RowWrite = (started: ExecutionRecord | undefined) => Op;

/** The outcome of an event; `failed` when its conditions could not be evaluated. */
export type EventEnd = 'started' | 'refused' | 'known' | 'failed';

/**
 * Starts the execution of an event, in one commit with the row of its trigger. Throws `Conflict` when the row is not
 * ours any more.
 */
export async function acceptEvent(
  event: TriggerEvent,
  write: RowWrite,
  parts: EventParts,
): Promise<EventEnd> {
  const { flow, trigger, executionId, outputs } = event;
  const logs: Op[] = [];
  const warn = (message: string) =>
    logs.push({
      op: 'log.insert',
      log: triggerLog(flow, trigger, { level: 'WARN', message, at: parts.clock() }),
    });
  const refuse = async () => {
    await parts.store.commit([write(undefined), ...logs]);
    return 'refused' as const;
  };
  try {
    if (!(await conditionsHold('after', event, parts))) return refuse();
  } catch (error) {
    throwIfUnavailable(error);
    await showFailure(event, `Its conditions could not be evaluated: ${messageOf(error)}`, write, parts);
    return 'failed';
  }
  let execution: ExecutionRecord;
  try {
    execution = await makeTriggeredExecution(
      {
        id: executionId,
        flow,
        trigger,
        triggerVariables: outputs,
        ...(event.logFile === undefined ? {} : { logFile: event.logFile }),
      },
      warn,
      parts,
    );
  } catch (error) {
    throwIfUnavailable(error);
    warn(`No execution was started: ${messageOf(error)}`);
    return refuse();
  }
  const key = uniqueKeyOf(event);
  try {
    await parts.executor.create(flow, execution, key, [
      write(execution),
      ...logs,
      ...metricOps(event, parts),
    ]);
    return 'started';
  } catch (error) {
    const isKnown =
      error instanceof Conflict &&
      key !== undefined &&
      (await parts.store.findExecutionByKey(key)) !== undefined;
    if (!isKnown) throw error;
    await parts.store.commit([write(undefined), ...logs]);
    return 'known';
  }
}

/** Metrics of the trigger are stored with its execution, under the trigger's id. */
function metricOps({ flow, trigger, executionId, metrics = [] }: TriggerEvent, parts: EventParts): Op[] {
  const { namespace, id: flowId } = flow;
  const whose = { tenantId: mainTenant, namespace, flowId, executionId, taskId: trigger.id };
  return metrics.map((metric) => ({
    op: 'metric.insert',
    metric: { ...whose, at: parts.clock(), ...metric },
  }));
}

/** Inserts a failed execution that shows the trigger's error. */
export async function showFailure(
  { flow, trigger, executionId, outputs }: TriggerEvent,
  reason: string,
  write: RowWrite,
  parts: EventParts,
): Promise<void> {
  const message = `The trigger "${trigger.id}" has failed. ${reason}`;
  const failed = failedExecution(
    { id: executionId, flow, trigger, triggerVariables: outputs },
    message,
    parts,
  );
  await parts.store.commit([
    { op: 'execution.insert', execution: failed.execution },
    write(undefined),
    ...failed.ops,
  ]);
  failed.announce();
}

/**
 * Conditions that use the trigger's outputs can only be evaluated after the poll. All others are evaluated
 * before it, so that nothing is consumed from a source and then dropped.
 */
const asksForOutputs = (condition: unknown): boolean =>
  /\btrigger\b(?!\.date\b)/.test(JSON.stringify(condition));

export async function conditionsHold(
  when: 'before' | 'after',
  { flow, trigger, outputs }: Pick<TriggerEvent, 'flow' | 'trigger' | 'outputs'>,
  parts: EventParts,
): Promise<boolean> {
  const conditions = conditionsOfTrigger(trigger).filter(
    ({ type: _, ...properties }) => asksForOutputs(properties) === (when === 'after'),
  );
  if (conditions.length === 0) return true;
  const date = new Date(parts.clock()).toISOString();
  return allHold(conditions, {
    variables: { ...variablesOf(flow, parts), trigger: { date, ...outputs } },
    host: parts.host({ namespace: flow.namespace }),
    zone: serverZoneRules(),
    flow,
  });
}

function uniqueKeyOf({ flow, trigger, key }: TriggerEvent): string | undefined {
  if (key === undefined) return undefined;
  const name = key.length <= 200 ? key : createHash('sha256').update(key).digest('hex');
  return `trigger/${flow.namespace}/${flow.id}/${trigger.id}/event/${name}`;
}
