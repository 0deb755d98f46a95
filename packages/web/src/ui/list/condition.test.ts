import { describe, expect, it } from 'vitest';
import { type Condition, type FilterField, isPair, readConditions, writeConditions } from './condition.ts';

const namespace: FilterField = {
  name: 'namespace',
  label: 'Namespace',
  kind: 'choice',
  takesOthers: true,
  operations: ['STARTS_WITH', 'EQUALS', 'IN'],
  plain: { parameter: 'namespace', operation: 'STARTS_WITH' },
};
const state: FilterField = {
  name: 'state',
  label: 'State',
  kind: 'choice',
  operations: ['IN', 'NOT_IN'],
  plain: { parameter: 'state', operation: 'IN' },
};
const labels: FilterField = {
  name: 'labels',
  label: 'Labels',
  kind: 'pair',
  operations: ['EQUALS', 'NOT_EQUALS'],
  plain: { parameter: 'labels', operation: 'EQUALS' },
};
const fields = [namespace, state, labels];

const cases: [name: string, search: Record<string, unknown>, conditions: Condition[]][] = [
  [
    'plain names',
    { namespace: 'shop', state: ['FAILED', 'KILLED'], labels: 'team:data' },
    [
      { field: 'namespace', operation: 'STARTS_WITH', values: ['shop'] },
      { field: 'state', operation: 'IN', values: ['FAILED', 'KILLED'] },
      { field: 'labels', operation: 'EQUALS', values: ['team:data'] },
    ],
  ],
  [
    'full names',
    { 'filters[state][NOT_IN]': '[FAILED, KILLED]', 'filters[labels][NOT_EQUALS][team]': 'data' },
    [
      { field: 'state', operation: 'NOT_IN', values: ['FAILED', 'KILLED'] },
      { field: 'labels', operation: 'NOT_EQUALS', values: ['team:data'] },
    ],
  ],
  [
    'the full name of two that speak of one field',
    { namespace: 'shop', 'filters[namespace][EQUALS]': 'shop.orders' },
    [{ field: 'namespace', operation: 'EQUALS', values: ['shop.orders'] }],
  ],
  ['names that are not its own', { page: '3', 'filters[workerId][EQUALS]': 'w1' }, []],
];

describe('conditions in an address', () => {
  it.each(cases)('reads %s', (_, search, conditions) =>
    expect(readConditions(search, fields)).toEqual(conditions),
  );

  it('writes the plain name where one means the same, and the full name otherwise', () => {
    const written = writeConditions({ size: 50, namespace: 'old', 'filters[state][IN]': 'FAILED' }, fields, [
      { field: 'namespace', operation: 'EQUALS', values: ['shop.orders'] },
      { field: 'state', operation: 'IN', values: ['FAILED', 'KILLED'] },
      { field: 'labels', operation: 'NOT_EQUALS', values: ['team:data', 'tier:1'] },
    ]);
    expect(written).toEqual({
      size: 50,
      'filters[namespace][EQUALS]': 'shop.orders',
      state: ['FAILED', 'KILLED'],
      'filters[labels][NOT_EQUALS][team]': 'data',
      'filters[labels][NOT_EQUALS][tier]': '1',
    });
  });

  it('reads back what it wrote, two conditions on one field included', () => {
    const conditions: Condition[] = [
      { field: 'namespace', operation: 'STARTS_WITH', values: ['shop'] },
      { field: 'namespace', operation: 'ENDS_WITH', values: ['orders'] },
      { field: 'labels', operation: 'EQUALS', values: ['team:data:lake'] },
    ];
    expect(readConditions(writeConditions({}, fields, conditions), fields)).toEqual(conditions);
  });

  it.each([
    ['team:data', true],
    ['team: data', true],
    ['team', false],
    ['team:', false],
    [':data', false],
    ['my team:data', false],
  ])('S2-5.10 a label is asked for as key:value: %s', (text, fits) => expect(isPair(text)).toBe(fits));
});
