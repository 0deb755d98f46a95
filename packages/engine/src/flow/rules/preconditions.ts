import { findWindowType, windowTypes } from '../../schedule/windowType.ts';
import type { Fields } from '../read/fields.ts';
import { readLabels } from '../read/readLabels.ts';

/** The fields that a filter of preconditions can test. */
export const filterFields = ['FLOW_ID', 'NAMESPACE', 'STATE', 'EXPRESSION'] as const;
/** How a filter of preconditions can compare. */
export const filterTypes = [
  'EQUAL_TO',
  'NOT_EQUAL_TO',
  'IN',
  'NOT_IN',
  'IS_TRUE',
  'IS_FALSE',
  'IS_NULL',
  'IS_NOT_NULL',
  'STARTS_WITH',
  'ENDS_WITH',
  'REGEX',
  'CONTAINS',
] as const;

/** [E142] The preconditions of a Flow trigger name what they wait for and for how long. */
export function checkPreconditions(fields: Fields): void {
  fields.refuseUnknown(new Set(['id', 'timeWindow', 'resetOnSuccess', 'flows', 'where']));
  const id = fields.requiredText('id');
  if (id !== undefined && !/^[a-zA-Z0-9][a-zA-Z0-9_-]*$/.test(id)) {
    fields.wrong('id', 'letters and digits and "-" and "_" with a letter or digit at the start');
  }
  fields.flag('resetOnSuccess');
  const window = fields.child('timeWindow');
  if (window) checkTimeWindow(window);
  for (const flow of fields.items('flows')) {
    flow.refuseUnknown(new Set(['namespace', 'flowId', 'states', 'labels']));
    flow.requiredText('namespace');
    flow.list('states');
    readLabels(flow);
  }
  for (const group of fields.items('where')) {
    group.refuseUnknown(new Set(['id', 'operand', 'filters']));
    group.requiredText('id');
    group.oneOf('operand', ['AND', 'OR']);
    if (!group.list('filters')?.length) group.missing('filters');
    for (const filter of group.items('filters')) checkFilter(filter);
  }
}

function checkFilter(filter: Fields): void {
  filter.refuseUnknown(new Set(['field', 'type', 'value', 'values']));
  for (const name of ['field', 'type']) if (filter.get(name) === undefined) filter.missing(name);
  filter.oneOf('field', filterFields);
  const type = filter.oneOf('type', filterTypes);
  if (type === undefined) return;
  if (type === 'IN' || type === 'NOT_IN') {
    if (!filter.list('values')?.length) filter.missing('values');
  } else if (!type.startsWith('IS_') && filter.get('value') === undefined) filter.missing('value');
}

/** [E143] A time window has the properties of its type, all of them and no others. */
export function checkTimeWindow(fields: Fields): void {
  fields.refuseUnknown(new Set(['type', 'deadline', 'startTime', 'endTime', 'window', 'windowAdvance']));
  const type = findWindowType(fields.get('type'));
  if (!type) {
    fields.wrong('type', `one of ${Object.keys(windowTypes).join(' | ')}`);
    return;
  }
  const { required, optional } = windowTypes[type];
  for (const name of required) if (fields.get(name) === undefined) fields.missing(name);
  const allowed = new Set<string>(['type', ...required, ...optional]);
  for (const name of Object.keys(fields.data)) {
    if (allowed.has(name) || fields.get(name) === undefined) continue;
    fields.findings.error(fields.at(name), `${name} cannot be used with a ${type}`);
  }
  fields.duration('window');
  fields.duration('windowAdvance');
}
