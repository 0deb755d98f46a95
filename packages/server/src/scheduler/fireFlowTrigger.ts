import { isDeepStrictEqual } from 'node:util';
import {
  type ExecutionRecord,
  type Flow,
  type Label,
  mainTenant,
  systemLabelPrefix,
  type TriggerDefinition,
} from '@millrace/contract';
import {
  type ConditionContext,
  createExecution,
  evaluateFlowTrigger,
  type FlowTriggerDecision,
  LiveRun,
  type RunEnvironment,
} from '@millrace/engine';
import { renderDeep } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import {
  Conflict,
  type ExecutionWithTaskRuns,
  type FlowEventRecord,
  type Op,
  type Store,
  type StoredWindow,
  throwIfUnavailable,
} from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { matchBacktracking } from '../actions/matchBacktracking.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { missingFlow } from '../executor/placeholderFlow.ts';
import type { CreateHost } from '../expressionHost.ts';
import type { ProcessLog } from '../processLog.ts';
import { isFlowTrigger } from './flowTriggerIndex.ts';
import { needsTaskRuns } from './needsTaskRuns.ts';
import { isActive } from './syncTriggers.ts';
import { renderLabels, triggerLog } from './triggeredExecution.ts';
import { serverZoneRules } from './zone.ts';

export type FlowTriggerParts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly environment: RunEnvironment;
  readonly host: CreateHost;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: ProcessLog;
};

/** Limits chains of flows that start each other, which would never end. */
export const maxTriggerDepth = 100;

interface LoadedEvent {
  readonly event: FlowEventRecord;
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  readonly upstream: ExecutionWithTaskRuns;
  readonly context: ConditionContext;
}

/**
 * Evaluates one state change for one flow trigger. Its result (windows, an execution) commits together with
 * the removal of the event, so that it takes effect once, even when several processes try it repeatedly.
 */
export async function fireFlowTrigger(event: FlowEventRecord, parts: FlowTriggerParts): Promise<void> {
  try {
    const loaded = await load(event, parts);
    if (!loaded) await parts.store.commit([{ op: 'flowEvent.take', event }]);
    else while (!(await decide(loaded, parts)));
  } catch (error) {
    // Someone else has taken it.
    if (!(error instanceof Conflict)) throw error;
  }
}

/** Undefined when the trigger or the execution no longer exists, or the trigger is disabled. */
async function load(event: FlowEventRecord, parts: FlowTriggerParts): Promise<LoadedEvent | undefined> {
  const { namespace, flowId, triggerId } = event;
  const found = await parts.flows.find(namespace, flowId);
  const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
  if (!found || found.record.deleted || found.problem !== undefined) return undefined;
  if (!trigger || !isFlowTrigger(trigger) || !isActive(found.runnable, trigger)) return undefined;
  if ((await parts.store.getTrigger(namespace, flowId, triggerId))?.disabled) return undefined;
  const upstream = await readUpstream(event.executionId, trigger, parts);
  if (!upstream) return undefined;
  return {
    event,
    flow: found.runnable,
    trigger,
    upstream,
    context: await contextOf(found.runnable, upstream, parts),
  };
}

/** Reads task runs only for a trigger that uses them, because there may be very many. */
async function readUpstream(
  executionId: string,
  trigger: TriggerDefinition,
  { store }: FlowTriggerParts,
): Promise<ExecutionWithTaskRuns | undefined> {
  if (needsTaskRuns(trigger)) return store.getExecution(executionId);
  const execution = await store.getExecutionRecord(executionId);
  return execution && { execution, taskRuns: [] };
}

/** Expressions see the execution that is reacted to. */
async function contextOf(
  flow: Flow,
  { execution, taskRuns }: ExecutionWithTaskRuns,
  parts: FlowTriggerParts,
): Promise<ConditionContext> {
  const { namespace, flowId, flowRevision } = execution;
  const found = await parts.flows.find(namespace, flowId, flowRevision);
  const upstreamFlow = found?.runnable ?? missingFlow(execution);
  const run = new LiveRun(upstreamFlow, execution, taskRuns, parts.environment);
  // Expressions may read the execution that they react to.
  const host = parts.host({ namespace: flow.namespace, execution });
  return { variables: run.variables(), host, zone: serverZoneRules(), flow, matchBacktracking };
}

/** False when the windows changed meanwhile: then the decision must be repeated. */
async function decide(loaded: LoadedEvent, parts: FlowTriggerParts): Promise<boolean> {
  const { event } = loaded;
  const { namespace, flowId, triggerId } = event;
  const windows = await parts.store.listWindows(namespace, flowId, triggerId);
  const logs: Op[] = [];
  const warn = (message: string) => {
    const log = triggerLog(loaded.flow, loaded.trigger, { level: 'WARN', message, at: parts.clock() });
    logs.push({ op: 'log.insert', log });
  };
  const decision = await evaluate(loaded, windows, warn);
  const execution = decision.fire && (await makeExecution(loaded, decision.fire.variables, warn, parts));
  const take: Op = { op: 'flowEvent.take', event };
  const ops = [take, ...windowOps(decision, windows, event), ...logs];
  const key = `flowTrigger/${namespace}/${flowId}/${triggerId}/${event.executionId}/${event.position}`;
  try {
    if (execution) await parts.executor.create(loaded.flow, execution, key, ops);
    else await parts.store.commit(ops);
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    if (!isDeepStrictEqual(await parts.store.listWindows(namespace, flowId, triggerId), windows))
      return false;
    await parts.store.commit([take]);
    return true;
  }
}

async function evaluate(
  { trigger, upstream, event, context }: LoadedEvent,
  windows: readonly StoredWindow[],
  warn: (message: string) => void,
): Promise<FlowTriggerDecision> {
  const { execution, taskRuns } = upstream;
  const { id, namespace, flowId, flowRevision, labels, outputs } = execution;
  const state = execution.state.histories[event.position]?.state ?? execution.state.current;
  const attempts = taskRuns.map((taskRun) => taskRun.attempts.map((attempt) => attempt.state.current));
  const stored = new Map(windows.map((window) => [window.conditionId, window]));
  try {
    return await evaluateFlowTrigger(
      trigger,
      { id, namespace, flowId, flowRevision, state, labels, attempts, ...(outputs ? { outputs } : {}) },
      stored,
      event.at,
      context,
    );
  } catch (error) {
    throwIfUnavailable(error);
    warn(`The conditions of the trigger "${trigger.id}" could not be evaluated: ${messageOf(error)}`);
    return { windows: new Map() };
  }
}

function windowOps(
  decision: FlowTriggerDecision,
  stored: readonly StoredWindow[],
  { namespace, flowId, triggerId }: FlowEventRecord,
): Op[] {
  return [...decision.windows].flatMap(([conditionId, window]): Op[] => {
    const expectVersion = stored.find((known) => known.conditionId === conditionId)?.version ?? 0;
    const key = { namespace, flowId, triggerId, conditionId };
    if (!window) return expectVersion === 0 ? [] : [{ op: 'window.delete', ...key, expectVersion }];
    const { start, end, results, outputs } = window;
    const record = { ...key, start, end, results, ...(outputs ? { outputs } : {}) };
    return [{ op: 'window.put', window: record, expectVersion }];
  });
}

/** Undefined, with a log entry, when the execution cannot or must not start. */
async function makeExecution(
  { flow, trigger, upstream, context }: LoadedEvent,
  variables: Readonly<Record<string, unknown>>,
  warn: (message: string) => void,
  parts: FlowTriggerParts,
): Promise<ExecutionRecord | undefined> {
  const { execution } = upstream;
  const triggerDepth = Number(execution.memo?.triggerDepth ?? 0) + 1;
  if (triggerDepth > maxTriggerDepth) {
    warn(
      `Flows have started each other ${maxTriggerDepth} times in a row, which looks endless: no execution was started for the execution ${execution.id}.`,
    );
    return undefined;
  }
  const inside = { ...context.variables, trigger: variables };
  try {
    // `as`: a map stays a map. The values are not checked against the flow: they are what its author wrote.
    const inputs = (await renderDeep(trigger.inputs ?? {}, inside, context.host)) as Record<string, unknown>;
    const created = createExecution(flow, {
      id: parts.newId(),
      tenantId: mainTenant,
      now: parts.clock(),
      inputs,
      labels: [
        ...(await renderLabels(trigger.labels, inside, context.host, warn)),
        ...correlationOf(execution),
      ],
      trigger: { id: trigger.id, type: trigger.type, variables },
    });
    return { ...created, memo: { ...created.memo, triggerDepth } };
  } catch (error) {
    throwIfUnavailable(error);
    warn(`No execution was started for the execution ${execution.id}: ${messageOf(error)}`);
    return undefined;
  }
}

const correlationOf = ({ labels }: ExecutionRecord): readonly Label[] =>
  labels.filter(({ key }) => key === `${systemLabelPrefix}correlationId`);
