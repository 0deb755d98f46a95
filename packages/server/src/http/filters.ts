import {
  AppError,
  type LogLevel,
  logLevels,
  playgroundKind,
  playgroundLabel,
  type StateType,
  stateTypes,
} from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import { type Filter, type FilterOperation, filterOperations } from '@millrace/store';
import { readDate } from '../readDate.ts';
import type { QueryValues } from './query.ts';

/**
 * Two equivalent styles: plain parameters (`state=FAILED`) and nested names
 * (`filters[state][IN]=FAILED,WARNING`). Both become the store's conditions, which are combined with AND;
 * where both name the same field or label, the nested one wins. Invalid filters are refused, because a
 * dropped condition would widen a bulk action.
 */
export interface FilterContext {
  readonly now: number;
  readonly systemNamespace: string;
}

type Field =
  | 'q'
  | 'scope'
  | 'namespace'
  | 'labels'
  | 'flowId'
  | 'startDate'
  | 'endDate'
  | 'state'
  | 'timeRange'
  | 'triggerExecutionId'
  | 'triggerId'
  | 'executionId'
  | 'workerId'
  | 'nextExecutionDate'
  | 'childFilter'
  | 'kind'
  | 'existingOnly'
  | 'level';

const texts = ['EQUALS', 'NOT_EQUALS', 'CONTAINS', 'STARTS_WITH', 'ENDS_WITH', 'IN', 'NOT_IN'] as const;
const comparisons = [
  'EQUALS',
  'NOT_EQUALS',
  'GREATER_THAN',
  'LESS_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN_OR_EQUAL_TO',
] as const;

const operationsOf: Readonly<Record<Field, readonly FilterOperation[]>> = {
  q: ['EQUALS', 'NOT_EQUALS', 'REGEX'],
  scope: ['EQUALS', 'NOT_EQUALS'],
  namespace: [...texts, 'REGEX', 'PREFIX'],
  labels: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN', 'CONTAINS'],
  flowId: [...texts, 'REGEX', 'PREFIX'],
  startDate: comparisons,
  endDate: comparisons,
  state: ['EQUALS', 'NOT_EQUALS', 'IN', 'NOT_IN'],
  timeRange: ['EQUALS', 'NOT_EQUALS'],
  triggerExecutionId: texts,
  triggerId: texts,
  executionId: texts,
  workerId: texts,
  nextExecutionDate: comparisons,
  childFilter: ['EQUALS', 'NOT_EQUALS'],
  kind: ['EQUALS', 'NOT_EQUALS'],
  existingOnly: ['EQUALS', 'NOT_EQUALS'],
  level: ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN_OR_EQUAL_TO'],
};

/** The plain parameters with their filter field and operation. */
const plainParameters: readonly (readonly [name: string, field: Field, operation: FilterOperation])[] = [
  ['q', 'q', 'EQUALS'],
  ['namespace', 'namespace', 'STARTS_WITH'],
  ['flowId', 'flowId', 'EQUALS'],
  ['scope', 'scope', 'EQUALS'],
  ['state', 'state', 'IN'],
  ['labels', 'labels', 'EQUALS'],
  ['startDate', 'startDate', 'GREATER_THAN'],
  ['endDate', 'endDate', 'LESS_THAN'],
  ['timeRange', 'timeRange', 'EQUALS'],
  ['triggerExecutionId', 'triggerExecutionId', 'EQUALS'],
  ['childFilter', 'childFilter', 'EQUALS'],
  ['kind', 'kind', 'EQUALS'],
  ['triggerId', 'triggerId', 'EQUALS'],
  ['workerId', 'workerId', 'EQUALS'],
  ['minLevel', 'level', 'EQUALS'],
];

export const filterFields = {
  execution: [
    'q',
    'scope',
    'flowId',
    'startDate',
    'endDate',
    'timeRange',
    'state',
    'labels',
    'triggerExecutionId',
    'childFilter',
    'kind',
    'namespace',
  ],
  flow: ['q', 'scope', 'labels', 'namespace', 'flowId'],
  log: [
    'q',
    'scope',
    'namespace',
    'startDate',
    'endDate',
    'timeRange',
    'flowId',
    'executionId',
    'triggerId',
    'level',
  ],
  kv: ['q', 'scope', 'namespace'],
  secret: ['q'],
  trigger: [
    'q',
    'scope',
    'namespace',
    'flowId',
    'triggerId',
    'workerId',
    'startDate',
    'endDate',
    'nextExecutionDate',
  ],
  task: [
    'q',
    'scope',
    'namespace',
    'flowId',
    'startDate',
    'endDate',
    'timeRange',
    'state',
    'labels',
    'triggerExecutionId',
    'childFilter',
  ],
  template: ['q', 'namespace'],
  namespace: ['existingOnly'],
} as const satisfies Record<string, readonly Field[]>;
export type FilterResource = keyof typeof filterFields;

interface Condition {
  readonly field: Field;
  readonly operation: FilterOperation;
  readonly values: readonly string[];
  /** The label's key of `filters[labels][EQUALS][team]`. */
  readonly key?: string;
}

export function readFilters(query: QueryValues, resource: FilterResource, context: FilterContext): Filter[] {
  const fields: readonly Field[] = filterFields[resource];
  const nested = readNested(query, fields);
  const plain = withoutRepeated(readPlain(query, fields), nested);
  // Each style is checked separately: a range in one style and dates in the other are two conditions that both hold.
  checkDates(nested);
  checkDates(plain);
  const conditions = [...nested, ...plain];
  return [
    ...conditions.filter((c) => c.field !== 'labels').flatMap((c) => toFilters(c, resource, context)),
    ...labelFilters(conditions.filter((c) => c.field === 'labels')),
  ];
}

/** Fields whose texts in the web app go by another name than their queries. */
const textNames: Readonly<Partial<Record<Field, string>>> = { q: 'query', level: 'min_level' };

/** The description of filters that `/configs` sends to the web app. */
export function describeFilters(): {
  name: string;
  fields: { name: string; value: string; operations: { name: string; value: string }[] }[];
}[] {
  return Object.entries(filterFields).map(([name, fields]) => ({
    name,
    fields: fields.map((field: Field) => ({
      name: textNames[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value: field,
      operations: operationsOf[field].map((operation) => ({ name: operation, value: operation })),
    })),
  }));
}

const nestedName = /^filters\[([^\]]+)\]\[([^\]]+)\](?:\[([^\]]+)\])?$/;

function readNested(query: QueryValues, fields: readonly Field[]): Condition[] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (!name.startsWith('filters')) return [];
    const [, field, operation, key] = nestedName.exec(name) ?? [];
    const known = fields.find((f) => f === field);
    if (known === undefined) throw invalid(`"${name}" does not name a field to filter by`);
    const wanted = filterOperations.find((o) => o === operation);
    if (wanted === undefined || !operationsOf[known].includes(wanted)) {
      throw invalid(`"${operation}" is not possible for the field "${field}"`);
    }
    return [
      { field: known, operation: wanted, values: [value].flat(), ...(key === undefined ? {} : { key }) },
    ];
  });
}

function readPlain(query: QueryValues, fields: readonly Field[]): Condition[] {
  return plainParameters.flatMap(([name, field, operation]) => {
    const value = query[name];
    if (!fields.includes(field) || value === undefined || value === '') return [];
    return [{ field, operation, values: [value].flat() }];
  });
}

/** Leaves out the plain conditions whose field, or whose label, a nested condition names as well. */
function withoutRepeated(plain: readonly Condition[], nested: readonly Condition[]): Condition[] {
  const fields = new Set(nested.map(({ field }) => field));
  const labels = new Set(
    nested
      .filter(({ field }) => field === 'labels')
      .flatMap(({ operation, values, key }) => labelEntries(operation, values, key).map(([name]) => name)),
  );
  return plain.flatMap((condition) => {
    if (condition.field !== 'labels') return fields.has(condition.field) ? [] : [condition];
    const values = condition.values.filter((value) => !labels.has(readLabel(value)[0]));
    return values.length === 0 ? [] : [{ ...condition, values }];
  });
}

function toFilters(
  { field, operation, values }: Condition,
  resource: FilterResource,
  context: FilterContext,
): Filter[] {
  const text = values.at(-1) ?? '';
  switch (field) {
    case 'scope':
      return scopeFilters(listOf(values), operation, context.systemNamespace);
    case 'state':
      return [stateFilter(listOf(values).map(readState), operation)];
    case 'startDate':
    case 'endDate':
      // Both bounds apply to the start of an execution: a range shows the executions that started in it,
      // running ones included. For a trigger the bounds apply to its next date.
      return [
        {
          field: resource === 'trigger' ? 'nextExecutionDate' : 'startDate',
          operation,
          value: readDate(text),
        },
      ];
    case 'nextExecutionDate':
      return [{ field, operation, value: readDate(text) }];
    case 'timeRange': {
      const bound = context.now - readRange(text);
      const since = operation === 'EQUALS' ? 'GREATER_THAN_OR_EQUAL_TO' : 'LESS_THAN';
      return [{ field: 'startDate', operation: since, value: bound }];
    }
    case 'level':
      return [{ field, operation, value: readLevel(text) }];
    case 'childFilter':
      if (text !== 'CHILD' && text !== 'MAIN') throw invalid(`"${text}" is neither CHILD nor MAIN`);
      return [{ field, operation, value: text }];
    case 'kind': {
      if (text !== 'NORMAL' && text !== playgroundKind)
        throw invalid(`"${text}" is neither NORMAL nor ${playgroundKind}`);
      const isPlayground = (text === playgroundKind) === (operation === 'EQUALS');
      return [
        {
          field: 'labels',
          operation: isPlayground ? 'EQUALS' : 'NOT_EQUALS',
          value: { [playgroundLabel.key]: playgroundLabel.value },
        },
      ];
    }
    case 'q':
      return text.trim() === '' || text === '*' ? [] : [{ field, operation, value: text }];
    default:
      return [{ field, operation, value: operation.endsWith('IN') ? listOf(values) : text }];
  }
}

function stateFilter(states: readonly StateType[], operation: FilterOperation): Filter {
  const isNegative = operation === 'NOT_EQUALS' || operation === 'NOT_IN';
  return { field: 'state', operation: isNegative ? 'NOT_IN' : 'IN', value: states };
}

function scopeFilters(
  scopes: readonly string[],
  operation: FilterOperation,
  systemNamespace: string,
): Filter[] {
  for (const scope of scopes) {
    if (scope !== 'USER' && scope !== 'SYSTEM') throw invalid(`"${scope}" is neither USER nor SYSTEM`);
  }
  if (new Set(scopes).size !== 1) return [];
  const wantsSystem = (scopes[0] === 'SYSTEM') === (operation === 'EQUALS');
  return [{ field: 'namespace', operation: wantsSystem ? 'EQUALS' : 'NOT_EQUALS', value: systemNamespace }];
}

/** One map per operation: every entry must match; for negative operations, no entry may match. */
function labelFilters(conditions: readonly Condition[]): Filter[] {
  const maps = new Map<FilterOperation, LabelEntry[]>();
  for (const { operation, values, key } of conditions) {
    maps.set(operation, [...(maps.get(operation) ?? []), ...labelEntries(operation, values, key)]);
  }
  return [...maps].map(([operation, entries]) => ({
    field: 'labels',
    operation,
    // Not by assignment: a label may be called "__proto__".
    value: Object.fromEntries(uniqueLabels(entries)),
  }));
}

type LabelEntry<Value = string | readonly string[]> = readonly [key: string, value: Value];

function labelEntries(operation: FilterOperation, values: readonly string[], key?: string): LabelEntry[] {
  if (key === undefined) return values.map(readLabel);
  return operation.endsWith('IN') ? [[key, listOf(values)]] : values.map((value) => [key, value]);
}

/** `labels=a:b&labels=c:d`, each key once: a second value would be dropped silently. */
export function readLabels(texts: readonly string[]): LabelEntry<string>[] {
  return uniqueLabels(texts.map(readLabel));
}

function uniqueLabels<Value>(labels: readonly LabelEntry<Value>[]): LabelEntry<Value>[] {
  const keys = new Set<string>();
  for (const [key] of labels) {
    if (keys.has(key)) throw invalid(`the label "${key}" is given twice`);
    keys.add(key);
  }
  return [...labels];
}

/** `team:data` → `['team', 'data']`, split at the first colon only. */
function readLabel(text: string): LabelEntry<string> {
  const colon = text.indexOf(':');
  const key = text.slice(0, Math.max(colon, 0)).trim();
  const value = text.slice(colon + 1).trim();
  if (colon < 0 || key === '' || value === '' || /\s/.test(key)) {
    throw invalid(`the label "${text}" must read "key:value", without white space in the key`);
  }
  return [key, value];
}

function readRange(text: string): number {
  // Years and months have no fixed length.
  const ms = /^P[^T]*[YM]/i.test(text) ? undefined : parseDuration(text);
  if (ms === undefined) throw invalid(`"${text}" is not a duration of days and below, such as P7D or PT1H`);
  return ms;
}

function readState(text: string): StateType {
  const state = stateTypes.find((s) => s === text);
  if (state === undefined) throw invalid(`"${text}" is not a state`);
  return state;
}

function readLevel(text: string): LogLevel {
  const level = logLevels.find((l) => l === text);
  if (level === undefined) throw invalid(`"${text}" is not a log level`);
  return level;
}

function checkDates(conditions: readonly Condition[]): void {
  const given = (field: Field) => conditions.find((c) => c.field === field)?.values.at(-1);
  const [start, end, range] = [given('startDate'), given('endDate'), given('timeRange')];
  if (range !== undefined && (start !== undefined || end !== undefined)) {
    throw invalid('timeRange cannot be combined with startDate or endDate');
  }
  if (start !== undefined && end !== undefined && readDate(start) > readDate(end)) {
    throw invalid('startDate lies after endDate');
  }
}

function listOf(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.replace(/^\[|\]$/g, '').split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function invalid(message: string): AppError {
  return new AppError('illegal-argument', message);
}
