import { AppError } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { PageQuery } from '../port/queries.ts';
import type { Subject } from './opened.ts';

// `as`: values that a caller might pass on from a request unchecked.
const filter = (field: string, operation: string, value: unknown): Filter =>
  ({ field, operation, value }) as Filter;

const refused: [string, Filter][] = [
  ['an unknown field', filter('secret', 'EQUALS', 'x')],
  ['a field of every object', filter('__proto__', 'EQUALS', 'x')],
  ['a field with SQL in it', filter('namespace = 1 OR 1', 'EQUALS', 'x')],
  ['an unknown operation', filter('namespace', 'LIKE', 'x')],
  ['an operation the field does not have', filter('namespace', 'GREATER_THAN', 'x')],
  ['an unknown state', filter('state', 'IN', ['RUNNING', 'DANCING'])],
  ['an unknown scope', filter('scope', 'EQUALS', ['USER', 'ROOT'])],
  ['an unknown child filter', filter('childFilter', 'EQUALS', 'UNCLE')],
  ['a date that is none', filter('startDate', 'GREATER_THAN', 'yesterday')],
  ['a map for a text', filter('flowId', 'EQUALS', { a: 'b' })],
  ['a text for a map', filter('labels', 'EQUALS', 'a:b')],
  ['a list of numbers', filter('flowId', 'IN', [1, 2])],
  ['a broken pattern', filter('namespace', 'REGEX', '(')],
  ['a pattern that cannot run in linear time', filter('namespace', 'REGEX', '(a+)\\1')],
  ['a pattern that looks around', filter('q', 'REGEX', '(?=a)b')],
];

export function refusalTests(subject: Subject): void {
  const refusal = expect.objectContaining({ name: AppError.name, code: 'illegal-argument' });

  describe('refusals', () => {
    it.each(refused)('refuses %s', async (_name, wrong) => {
      await expect(subject().listExecutions({ page: 1, size: 10, filters: [wrong] })).rejects.toEqual(
        refusal,
      );
    });

    it('refuses to sort by anything but the known fields', async () => {
      const sort = [{ field: 'id; DROP TABLE executions', descending: false }];
      const query: PageQuery & { filters: [] } = { page: 1, size: 10, filters: [], sort };
      await expect(subject().listExecutions(query)).rejects.toEqual(refusal);
      await expect(subject().listFlows(query)).rejects.toEqual(refusal);
      await expect(subject().searchLogs(query)).rejects.toEqual(refusal);
    });

    it.each([
      [0, 10],
      [1, 0],
      [1.5, 10],
      [1, Number.NaN],
    ])('refuses page %s of size %s', async (page, size) => {
      await expect(subject().listExecutions({ page, size, filters: [] })).rejects.toEqual(refusal);
    });
  });
}
