import {
  AppError,
  type ChartRequest,
  chartComparisons,
  logLevels,
  playgroundKind,
  playgroundLabel,
} from '@millrace/contract';
import type { AggregateCondition } from '@millrace/store';
import { type ChartWhere, Where } from './chartData.ts';

type Comparison = (typeof chartComparisons)[number];
type Plain = string | number | boolean;

const withoutValue = new Set<Comparison>(['IS_NULL', 'IS_NOT_NULL', 'IS_TRUE', 'IS_FALSE']);

/** One filter of a chart as its author wrote it. */
export function toCondition(where: ChartWhere): AggregateCondition {
  const { type, field, labelKey } = where;
  if (type === 'OR') {
    const parts = (where.values ?? []).map((part) => Where.safeParse(part));
    const conditions = parts.map((part) => {
      if (!part.success) throw refuse('the values of OR must be filters');
      return toCondition(part.data);
    });
    if (conditions.length === 0) throw refuse('OR needs filters as its values');
    return { type, conditions };
  }
  const comparison = chartComparisons.find((known) => known === type);
  if (comparison === undefined) throw refuse(`"${type}" is no way to compare`);
  if (field === undefined) throw refuse(`a filter of type ${type} needs a field`);
  const named = { type: comparison, field, ...(labelKey === undefined ? {} : { labelKey }) };
  if (withoutValue.has(comparison)) return named;
  return { ...named, value: comparedValue(comparison, where) };
}

function comparedValue(type: Comparison, { value, values }: ChartWhere): Plain | Plain[] {
  if (type === 'IN' || type === 'NOT_IN') {
    const list = values ?? (Array.isArray(value) ? value : [value]);
    return list.map((item) => plain(item, type));
  }
  return plain(value ?? values?.[0], type);
}

function plain(value: unknown, type: string): Plain {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw refuse(`a filter of type ${type} needs a value and has ${JSON.stringify(value) ?? 'none'}`);
}

/** Filter fields of lists and their names in chart data. */
const fieldNames: Readonly<Record<string, string>> = {
  namespace: 'NAMESPACE',
  flowId: 'FLOW_ID',
  state: 'STATE',
  labels: 'LABELS',
  triggerExecutionId: 'TRIGGER_EXECUTION_ID',
  triggerId: 'TRIGGER_ID',
  executionId: 'EXECUTION_ID',
  taskId: 'TASK_ID',
  level: 'LEVEL',
  scope: 'NAMESPACE',
  childFilter: 'TRIGGER_EXECUTION_ID',
  kind: 'LABELS',
};

const comparisons: Readonly<Record<string, Comparison>> = {
  EQUALS: 'EQUAL_TO',
  NOT_EQUALS: 'NOT_EQUAL_TO',
  IN: 'IN',
  NOT_IN: 'NOT_IN',
  CONTAINS: 'CONTAINS',
  STARTS_WITH: 'STARTS_WITH',
  ENDS_WITH: 'ENDS_WITH',
  REGEX: 'REGEX',
  GREATER_THAN: 'GREATER_THAN',
  LESS_THAN: 'LESS_THAN',
  GREATER_THAN_OR_EQUAL_TO: 'GREATER_THAN_OR_EQUAL_TO',
  LESS_THAN_OR_EQUAL_TO: 'LESS_THAN_OR_EQUAL_TO',
};

const dates = new Set(['startDate', 'endDate', 'timeRange']);

export interface AskedCondition {
  /** The field of the condition; it replaces the author's conditions on that field. */
  readonly field: string;
  readonly condition: AggregateCondition;
}

/** The viewer's filters for all charts of a dashboard. Fields that this kind of data lacks are ignored. */
export function askedConditions(
  { namespace, labels, filters }: ChartRequest,
  fields: readonly string[],
  systemNamespace: string,
): AskedCondition[] {
  const asked: AskedCondition[] = [];
  if (namespace) asked.push({ field: 'NAMESPACE', condition: inside(namespace) });
  for (const [labelKey, value] of Object.entries(readLabels(labels))) {
    asked.push({ field: 'LABELS', condition: { type: 'EQUAL_TO', field: 'LABELS', labelKey, value } });
  }
  for (const { field, operation, value } of filters ?? []) {
    if (dates.has(field)) continue;
    const name = Object.hasOwn(fieldNames, field) ? fieldNames[field] : undefined;
    if (name === undefined) throw refuse(`"${field}" is no field to filter charts by`);
    for (const condition of conditionsOf(field, name, operation, value, systemNamespace)) {
      asked.push({ field: name, condition });
    }
  }
  return asked.filter(({ field }) => fields.includes(field));
}

function conditionsOf(
  field: string,
  name: string,
  operation: string,
  value: unknown,
  systemNamespace: string,
): AggregateCondition[] {
  const isNegative = operation.startsWith('NOT');
  switch (field) {
    case 'labels':
      return Object.entries(readLabels(value)).map(([labelKey, text]) => ({
        type: isNegative ? 'NOT_EQUAL_TO' : 'EQUAL_TO',
        field: name,
        labelKey,
        value: text,
      }));
    case 'scope': {
      const scopes = new Set([value].flat());
      if (scopes.size !== 1) return [];
      const wantsSystem = scopes.has('SYSTEM') !== isNegative;
      return [{ type: wantsSystem ? 'EQUAL_TO' : 'NOT_EQUAL_TO', field: name, value: systemNamespace }];
    }
    case 'kind': {
      const isPlayground = (value === playgroundKind) !== isNegative;
      const { key: labelKey, value: text } = playgroundLabel;
      return [{ type: isPlayground ? 'EQUAL_TO' : 'NOT_EQUAL_TO', field: name, labelKey, value: text }];
    }
    case 'childFilter':
      return [{ type: (value === 'CHILD') !== isNegative ? 'IS_NOT_NULL' : 'IS_NULL', field: name }];
    case 'level': {
      const least = logLevels.findIndex((level) => level === value);
      if (least < 0) throw refuse(`${JSON.stringify(value)} is not a log level`);
      const levels = isNegative ? logLevels.slice(0, least) : logLevels.slice(least);
      return [{ type: 'IN', field: name, value: [...levels] }];
    }
    default:
      return [compare(field, name, operation, value)];
  }
}

function compare(field: string, name: string, operation: string, value: unknown): AggregateCondition {
  const list = Array.isArray(value) ? value : undefined;
  if (field === 'namespace' && (operation === 'STARTS_WITH' || operation === 'PREFIX'))
    return inside(String(value));
  if (list && (operation === 'EQUALS' || operation === 'NOT_EQUALS')) {
    return compare(field, name, operation === 'EQUALS' ? 'IN' : 'NOT_IN', list);
  }
  const type = Object.hasOwn(comparisons, operation) ? comparisons[operation] : undefined;
  if (type === undefined) throw refuse(`"${operation}" is not possible for the field "${field}"`);
  const where = typeof value === 'string' && type.endsWith('IN') ? value.split(',') : value;
  return toCondition({ type, field: name, value: where });
}

/** A namespace and all below it. */
const inside = (namespace: string): AggregateCondition => ({
  type: 'OR',
  conditions: [
    { type: 'EQUAL_TO', field: 'NAMESPACE', value: namespace },
    { type: 'STARTS_WITH', field: 'NAMESPACE', value: `${namespace}.` },
  ],
});

/** A map, or a list of `key:value`. */
function readLabels(labels: unknown): Readonly<Record<string, string>> {
  if (labels === undefined || labels === null) return {};
  const entries: [string, unknown][] =
    Array.isArray(labels) || typeof labels === 'string'
      ? [labels].flat().map((text: unknown) => splitLabel(String(text)))
      : Object.entries(labels);
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function splitLabel(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw refuse(`the label "${text}" must read "key:value"`);
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

export const fieldsOf = (condition: AggregateCondition): string[] =>
  condition.type === 'OR' ? condition.conditions.flatMap(fieldsOf) : [condition.field];

const refuse = (message: string): AppError => new AppError('illegal-argument', message);
