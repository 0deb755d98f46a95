import type { Flow, TriggerDefinition } from '@millrace/contract';
import { conditionTypeOf } from '../conditions/conditionType.ts';
import type { Condition } from '../conditions/context.ts';
import { conditionsOf } from '../conditions/evaluateCondition.ts';
import { matchesNamespace } from '../conditions/executionNamespace.ts';
import { compare } from '../schedule/preconditions.ts';
import { triggerTypeOf } from '../schedule/triggerType.ts';
import { allTasks } from './children.ts';
import { isLiteralTarget, subflowTarget } from './subflowTarget.ts';

export interface FlowKey {
  readonly namespace: string;
  readonly id: string;
}

/** `source` comes first: it calls `target`, or its executions start it. */
export interface FlowDependency {
  readonly source: FlowKey;
  readonly target: FlowKey;
  readonly relation: 'FLOW_TASK' | 'FLOW_TRIGGER';
}

/** [E270] Which flows call each other and which listen to each other, as far as it is written literally. */
export function flowDependencies(flows: readonly Flow[]): FlowDependency[] {
  return flows.flatMap((flow) => [...calledBy(flow), ...listenedToBy(flow, flows)]);
}

/** The same for two flows: the relations from one to the other. */
export function dependenciesBetween(flow: Flow, others: readonly Flow[]): FlowDependency[] {
  const ofOthers = others
    .filter((other) => !isSame(other, flow))
    .flatMap((other) => [
      ...calledBy(other).filter(({ target }) => isSame(target, flow)),
      ...listenedToBy(other, [flow]),
    ]);
  return [...calledBy(flow), ...listenedToBy(flow, others), ...ofOthers];
}

function calledBy(flow: Flow): FlowDependency[] {
  const targets = new Map<string, FlowKey>();
  for (const task of allTasks(flow)) {
    const target = subflowTarget(task);
    if (!target || !isLiteralTarget(target)) continue;
    targets.set(`${target.namespace} ${target.flowId}`, { namespace: target.namespace, id: target.flowId });
  }
  return [...targets.values()].map((target) => ({ source: keyOf(flow), target, relation: 'FLOW_TASK' }));
}

function listenedToBy(flow: Flow, others: readonly FlowKey[]): FlowDependency[] {
  const triggers = (flow.triggers ?? []).filter((it) => triggerTypeOf(it.type) === 'core.trigger.Flow');
  if (triggers.length === 0) return [];
  return others
    .filter((other) => !isSame(other, flow) && triggers.some((trigger) => listensTo(trigger, other)))
    .map((other) => ({ source: keyOf(other), target: keyOf(flow), relation: 'FLOW_TRIGGER' }));
}

const keyOf = ({ namespace, id }: FlowKey): FlowKey => ({ namespace, id });
const isSame = (one: FlowKey, other: FlowKey): boolean =>
  one.namespace === other.namespace && one.id === other.id;

/** Undefined when a condition does not restrict the flow of an execution. */
type Answer = boolean | undefined;

/** [E271] A trigger that names no flow listens to all flows; drawing it would hide the other relations. */
const listensTo = (trigger: TriggerDefinition, flow: FlowKey): boolean =>
  whatIsWritten(trigger, flow) === true;

/** False only when a flow trigger can never fire for an execution of that flow. */
export const mayListenTo = (trigger: TriggerDefinition, flow: FlowKey): boolean =>
  whatIsWritten(trigger, flow) !== false;

function whatIsWritten(trigger: TriggerDefinition, flow: FlowKey): Answer {
  const answers = conditionsOf(trigger.conditions).map((condition) => admits(condition, flow));
  if (isData(trigger.preconditions)) answers.push(preconditionsAdmit(trigger.preconditions, flow));
  return all(answers);
}

function admits(condition: Condition, flow: FlowKey): Answer {
  switch (conditionTypeOf(condition.type)) {
    case 'ExecutionFlow':
      return condition.namespace === flow.namespace && condition.flowId === flow.id;
    case 'ExecutionNamespace':
      return typeof condition.namespace === 'string' && matchesNamespace(condition, flow.namespace);
    case 'Or':
      return any(conditionsOf(condition.conditions).map((inner) => admits(inner, flow)));
    case 'Not': {
      const inner = any(conditionsOf(condition.conditions).map((it) => admits(it, flow)));
      // "Not that flow" still says nothing about which one is meant.
      return inner === true ? false : undefined;
    }
    case 'Multiple': {
      const inner = isData(condition.conditions) ? Object.values(condition.conditions) : [];
      return any(conditionsOf(inner).map((it) => admits(it, flow)));
    }
    default:
      return undefined;
  }
}

/** Each entry waits for separate executions, so one matching entry is enough. */
function preconditionsAdmit(preconditions: Data, flow: FlowKey): Answer {
  const flows = itemsOf(preconditions.flows).map(
    (entry) => entry.namespace === flow.namespace && (entry.flowId === undefined || entry.flowId === flow.id),
  );
  const groups = itemsOf(preconditions.where).map((group) => {
    const filters = itemsOf(group.filters).map((filter) => filterAdmits(filter, flow));
    return group.operand === 'OR' ? any(filters) : all(filters);
  });
  return any([...flows, ...groups]);
}

function filterAdmits(filter: Data, flow: FlowKey): Answer {
  if (filter.field !== 'FLOW_ID' && filter.field !== 'NAMESPACE') return undefined;
  const actual = filter.field === 'FLOW_ID' ? flow.id : flow.namespace;
  const values = Array.isArray(filter.values) ? filter.values.map(String) : [];
  return compare(String(filter.type), actual, String(filter.value ?? ''), values);
}

/** False when any value is false; true when any is true; undefined otherwise. */
const all = (answers: readonly Answer[]): Answer =>
  answers.includes(false) ? false : answers.includes(true) ? true : undefined;

const any = (answers: readonly Answer[]): Answer =>
  answers.includes(true)
    ? true
    : answers.length > 0 && answers.every((it) => it === false)
      ? false
      : undefined;

type Data = Readonly<Record<string, unknown>>;
const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const itemsOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);
