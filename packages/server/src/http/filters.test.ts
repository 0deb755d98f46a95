import { describe, expect, it } from 'vitest';
import { type FilterResource, readFilters } from './filters.ts';
import { parseQuery } from './query.ts';

const now = Date.parse('2025-03-02T00:00:00Z');
const read = (query: string, resource: FilterResource = 'execution') =>
  readFilters(parseQuery(query), resource, { now, systemNamespace: 'system' });

describe('readFilters (api 1.6)', () => {
  it.each([
    ['', []],
    ['q=*', []],
    ['q=ship', [{ field: 'q', operation: 'EQUALS', value: 'ship' }]],
    ['namespace=shop', [{ field: 'namespace', operation: 'STARTS_WITH', value: 'shop' }]],
    ['flowId=a', [{ field: 'flowId', operation: 'EQUALS', value: 'a' }]],
    ['state=FAILED&state=WARNING', [{ field: 'state', operation: 'IN', value: ['FAILED', 'WARNING'] }]],
    ['state=FAILED,WARNING', [{ field: 'state', operation: 'IN', value: ['FAILED', 'WARNING'] }]],
    ['scope=USER', [{ field: 'namespace', operation: 'NOT_EQUALS', value: 'system' }]],
    ['scope=SYSTEM', [{ field: 'namespace', operation: 'EQUALS', value: 'system' }]],
    ['scope=USER,SYSTEM', []],
    ['labels=a:b,c&labels=d:e', [{ field: 'labels', operation: 'EQUALS', value: { a: 'b,c', d: 'e' } }]],
    [
      'timeRange=PT24H',
      [{ field: 'startDate', operation: 'GREATER_THAN_OR_EQUAL_TO', value: now - 86_400_000 }],
    ],
    ['endDate=2025-03-02T00:00:00Z', [{ field: 'startDate', operation: 'LESS_THAN', value: now }]],
    ['childFilter=CHILD', [{ field: 'childFilter', operation: 'EQUALS', value: 'CHILD' }]],
    ['filters[flowId][IN]=[a,b]', [{ field: 'flowId', operation: 'IN', value: ['a', 'b'] }]],
    [
      'filters%5Bscope%5D%5BNOT_EQUALS%5D=USER',
      [{ field: 'namespace', operation: 'EQUALS', value: 'system' }],
    ],
    [
      'filters[labels][EQUALS][team]=data&filters[labels][EQUALS][env]=prod',
      [{ field: 'labels', operation: 'EQUALS', value: { team: 'data', env: 'prod' } }],
    ],
    [
      'filters[labels][NOT_IN][team]=[data,ops]',
      [{ field: 'labels', operation: 'NOT_IN', value: { team: ['data', 'ops'] } }],
    ],
  ])('reads %s', (query, filters) => {
    expect(read(query)).toEqual(filters);
  });

  it('combines both styles, the nested one winning where a field is named twice', () => {
    expect(read('namespace=a&flowId=x&filters[namespace][EQUALS]=b')).toEqual([
      { field: 'namespace', operation: 'EQUALS', value: 'b' },
      { field: 'flowId', operation: 'EQUALS', value: 'x' },
    ]);
  });

  it('combines a nested time range with plain dates', () => {
    const dates = 'startDate=2025-03-01T00:00:00Z&endDate=2025-03-02T00:00:00Z';
    expect(read(`filters[timeRange][EQUALS]=PT1H&${dates}`)).toEqual([
      { field: 'startDate', operation: 'GREATER_THAN_OR_EQUAL_TO', value: now - 3_600_000 },
      { field: 'startDate', operation: 'GREATER_THAN', value: now - 86_400_000 },
      { field: 'startDate', operation: 'LESS_THAN', value: now },
    ]);
    expect(read('timeRange=PT1H&filters[endDate][LESS_THAN]=2025-03-02T00:00:00Z')).toHaveLength(2);
    // Two conditions that no execution meets are an empty list, not a mistake.
    expect(
      read('filters[startDate][GREATER_THAN]=2025-03-02T00:00:00Z&endDate=2025-03-01T00:00:00Z'),
    ).toHaveLength(2);
  });

  it('combines labels of both styles, the nested one winning where a key is named twice', () => {
    expect(read('labels=a:1&labels=b:2&filters[labels][EQUALS][a]=3')).toEqual([
      { field: 'labels', operation: 'EQUALS', value: { a: '3', b: '2' } },
    ]);
  });

  it('[A11] loses no condition over the name of a label: a bulk action would reach everything', () => {
    expect(Object.keys(read('labels=__proto__:x')[0]?.value ?? {})).toEqual(['__proto__']);
  });

  it('asks a trigger when it is due, and logs for their execution', () => {
    const due = { field: 'nextExecutionDate', operation: 'GREATER_THAN', value: now };
    expect(read('startDate=2025-03-02T00:00:00Z', 'trigger')).toEqual([due]);
    const one = { field: 'executionId', operation: 'EQUALS', value: 'x' };
    expect(read('filters[executionId][EQUALS]=x', 'log')).toEqual([one]);
  });

  it('reads the minimum level of logs', () => {
    expect(read('minLevel=WARN', 'log')).toEqual([{ field: 'level', operation: 'EQUALS', value: 'WARN' }]);
  });

  it.each([
    'state=FOO',
    'scope=ALL',
    'labels=novalue',
    'labels=a b:c',
    'labels=a:b&labels=a:c',
    'filters[labels][NOT_EQUALS][a]=b&filters[labels][NOT_EQUALS][a]=c',
    'startDate=2025-02-31T00:00:00Z',
    'startDate=yesterday',
    'timeRange=P1Y',
    'timeRange=PT1H&startDate=2025-03-02T00:00:00Z',
    'filters[timeRange][EQUALS]=PT1H&filters[startDate][GREATER_THAN]=2025-03-02T00:00:00Z',
    'startDate=2025-03-02T00:00:00Z&endDate=2025-03-01T00:00:00Z',
    'filters[nope][EQUALS]=1',
    'filters[state][REGEX]=x',
    'filters[state]=x',
    'filters=x',
    'filters[state][EQUALS]=FOO',
    'filters[__proto__][EQUALS]=x',
  ])('refuses %s', (query) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: 'illegal-argument' }));
  });

  it('ignores fields that the resource does not have in the plain style only', () => {
    expect(read('state=FOO', 'flow')).toEqual([]);
    expect(() => read('filters[state][EQUALS]=FAILED', 'flow')).toThrow();
  });
});
