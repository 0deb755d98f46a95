import type { StateType, TriggerDefinition } from '@millrace/contract';
import { terminalStates } from '@millrace/contract';
import { conditionTypeOf } from '../conditions/conditionType.ts';
import { type ConditionContext, type ConditionExecution, wordsOf } from '../conditions/context.ts';
import { allHold, conditionsOfTrigger } from '../conditions/evaluateCondition.ts';
import { type Gathering, gatheringsOf } from './preconditions.ts';
import { type TimeWindow, windowAt } from './windows.ts';

/** The state of a window: the conditions that were true, and the outputs of the executions that met them. */
export interface WindowState extends TimeWindow {
  readonly results: Readonly<Record<string, true>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

export interface FlowTriggerDecision {
  readonly fire?: { readonly variables: Readonly<Record<string, unknown>> };
  /** Windows to store, by condition id; null means to delete. */
  readonly windows: ReadonlyMap<string, WindowState | null>;
}

/** [E312] Decides whether a state change of an execution fires a flow trigger. */
export async function evaluateFlowTrigger(
  trigger: TriggerDefinition,
  execution: ConditionExecution,
  stored: ReadonlyMap<string, WindowState>,
  now: number,
  context: ConditionContext,
): Promise<FlowTriggerDecision> {
  const windows = new Map<string, WindowState | null>();
  const inside = { ...context, execution };
  if (!concerns(trigger, execution, context)) return { windows };
  const simple = conditionsOfTrigger(trigger).filter((it) => conditionTypeOf(it.type) !== 'Multiple');
  if (!(await allHold(simple, inside))) return { windows };
  let outputs: Readonly<Record<string, unknown>> = execution.outputs ?? {};
  const used: string[] = [];
  let fires = true;
  for (const gathering of gatheringsOf(trigger)) {
    const { window, isComplete } = await gather(gathering, stored.get(gathering.id), now, inside);
    if (window) windows.set(gathering.id, window);
    if (!isComplete) fires = false;
    else if (gathering.resetOnSuccess) used.push(gathering.id);
    outputs = { ...outputs, ...window?.outputs };
  }
  if (!fires) return { windows };
  for (const id of used) windows.set(id, null);
  const { id: executionId, namespace, flowId, flowRevision, state } = execution;
  return { fire: { variables: { executionId, namespace, flowId, flowRevision, state, outputs } }, windows };
}

/** Excludes its own flow, executions that were only created, and states that the trigger does not list. */
function concerns(
  trigger: TriggerDefinition,
  execution: ConditionExecution,
  context: ConditionContext,
): boolean {
  if (trigger.disabled === true || execution.state === 'CREATED') return false;
  const { namespace, id } = context.flow;
  if (execution.namespace === namespace && execution.flowId === id) return false;
  const states: readonly (StateType | string)[] = wordsOf(trigger.states) ?? terminalStates;
  return states.includes(execution.state);
}

/** [E311] Adds the conditions that an execution meets to the open window, or to a new one. */
async function gather(
  gathering: Gathering,
  stored: WindowState | undefined,
  now: number,
  context: ConditionContext,
): Promise<{ window?: WindowState; isComplete: boolean }> {
  const isOpen = stored !== undefined && stored.start <= now && now <= stored.end;
  const window = isOpen ? stored : windowAt(gathering.timeWindow, now, context.zone);
  if (!window) return { isComplete: false };
  const results: Record<string, true> = isOpen ? { ...stored.results } : {};
  let matches = false;
  for (const [id, holds] of gathering.conditions) {
    if (!(await holds(context))) continue;
    matches = true;
    results[id] = true;
  }
  if (!matches) return { isComplete: false };
  const remembered = isOpen ? stored.outputs : undefined;
  const outputs = { ...context.execution?.outputs, ...remembered };
  return {
    window: { start: window.start, end: window.end, results, outputs },
    isComplete: [...gathering.conditions.keys()].every((id) => Object.hasOwn(results, id)),
  };
}
