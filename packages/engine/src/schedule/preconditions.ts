import type { TriggerDefinition } from '@millrace/contract';
import { render } from '@millrace/expression';
import { conditionTypeOf } from '../conditions/conditionType.ts';
import {
  type ConditionContext,
  ConditionError,
  type ConditionExecution,
  wordsOf,
} from '../conditions/context.ts';
import { evaluateCondition, isCondition } from '../conditions/evaluateCondition.ts';
import { hasLabels } from '../conditions/executionLabels.ts';
import { compilePattern } from '../inputs/pattern.ts';

/** Several conditions, each of which must have been true for some execution inside one window. */
export interface Gathering {
  readonly id: string;
  readonly timeWindow: Readonly<Record<string, unknown>> | undefined;
  readonly resetOnSuccess: boolean;
  readonly conditions: ReadonlyMap<string, Holds>;
}

type Holds = (context: ConditionContext) => boolean | Promise<boolean>;

type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const itemsOf = (value: unknown): Data[] => (Array.isArray(value) ? value.filter(isData) : []);

/** The preconditions and the MultipleConditions of a flow trigger. */
export function gatheringsOf(trigger: TriggerDefinition): Gathering[] {
  const multiples = itemsOf(trigger.conditions)
    .filter((condition) => isCondition(condition) && conditionTypeOf(condition.type) === 'Multiple')
    .map(readMultiple);
  return isData(trigger.preconditions) ? [...multiples, readPreconditions(trigger.preconditions)] : multiples;
}

function readMultiple(multiple: Data): Gathering {
  const conditions = new Map<string, Holds>();
  for (const [id, condition] of Object.entries(isData(multiple.conditions) ? multiple.conditions : {})) {
    if (isCondition(condition)) conditions.set(id, (context) => evaluateCondition(condition, context));
  }
  const { window, windowAdvance } = multiple;
  return {
    id: String(multiple.id),
    // The window of the old form is a duration beside it.
    timeWindow: isData(multiple.timeWindow) ? multiple.timeWindow : { window, windowAdvance },
    resetOnSuccess: multiple.resetOnSuccess !== false,
    conditions,
  };
}

function readPreconditions(preconditions: Data): Gathering {
  const conditions = new Map<string, Holds>();
  for (const entry of itemsOf(preconditions.flows)) {
    conditions.set(`condition_${conditions.size + 1}`, (context) => matchesFlow(entry, upstream(context)));
  }
  for (const group of itemsOf(preconditions.where)) {
    const id = `condition_${conditions.size + 1}_${String(group.id)}`;
    conditions.set(id, (context) => matchesGroup(group, context));
  }
  return {
    id: String(preconditions.id),
    timeWindow: isData(preconditions.timeWindow) ? preconditions.timeWindow : undefined,
    resetOnSuccess: preconditions.resetOnSuccess !== false,
    conditions,
  };
}

function upstream(context: ConditionContext): ConditionExecution {
  if (context.execution) return context.execution;
  throw new ConditionError('Preconditions need an execution');
}

function matchesFlow(entry: Data, execution: ConditionExecution): boolean {
  if (entry.namespace !== execution.namespace) return false;
  if (typeof entry.flowId === 'string' && entry.flowId !== execution.flowId) return false;
  if (!(wordsOf(entry.states)?.includes(execution.state) ?? true)) return false;
  return hasLabels(execution.labels, entry.labels);
}

async function matchesGroup(group: Data, context: ConditionContext): Promise<boolean> {
  const isOr = group.operand === 'OR';
  for (const filter of itemsOf(group.filters)) {
    if ((await matchesFilter(filter, context)) === isOr) return isOr;
  }
  return !isOr;
}

async function matchesFilter(filter: Data, context: ConditionContext): Promise<boolean> {
  const actual = await fieldOf(filter, context);
  const value = String(filter.value ?? '');
  return (
    compare(String(filter.type), actual, value, wordsOf(filter.values) ?? []) ??
    (await matchesSlowly(value, actual, context))
  );
}

/** A pattern with look-around or back-references is matched with a time limit. */
async function matchesSlowly(source: string, text: string, context: ConditionContext): Promise<boolean> {
  const pattern = compilePattern(source);
  if ('error' in pattern)
    throw new ConditionError(`The pattern "${source}" is not a regular expression: ${pattern.error}`);
  if (!('backtracking' in pattern)) return pattern.matches(text);
  if (context.matchBacktracking) return context.matchBacktracking(pattern.backtracking, text);
  throw new ConditionError(`The pattern "${source}" cannot be matched here`);
}

/** Of an expression the rendered value is itself the field. */
async function fieldOf(filter: Data, context: ConditionContext): Promise<string> {
  const execution = upstream(context);
  switch (filter.field) {
    case 'FLOW_ID':
      return execution.flowId;
    case 'NAMESPACE':
      return execution.namespace;
    case 'STATE':
      return execution.state;
    default:
      return render(String(filter.value ?? ''), context.variables, context.host);
  }
}

/** Undefined for a pattern that is invalid or that only an engine which backtracks can match. */
export function compare(
  type: string,
  actual: string,
  value: string,
  values: readonly string[],
): boolean | undefined {
  switch (type) {
    case 'EQUAL_TO':
      return actual === value;
    case 'NOT_EQUAL_TO':
      return actual !== value;
    case 'IN':
      return values.includes(actual);
    case 'NOT_IN':
      return !values.includes(actual);
    case 'IS_TRUE':
      return actual.trim() === 'true';
    case 'IS_FALSE':
      return actual.trim() === 'false';
    case 'IS_NULL':
      return actual === '';
    case 'IS_NOT_NULL':
      return actual !== '';
    case 'STARTS_WITH':
      return actual.startsWith(value);
    case 'ENDS_WITH':
      return actual.endsWith(value);
    case 'CONTAINS':
      return actual.includes(value);
    case 'REGEX': {
      const pattern = compilePattern(value);
      return 'matches' in pattern ? pattern.matches(actual) : undefined;
    }
    default:
      return false;
  }
}
