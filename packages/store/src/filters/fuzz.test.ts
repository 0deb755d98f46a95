import { AppError } from '@millrace/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, filterOperations } from '../port/filter.ts';
import { executionConditions } from '../reads/executionConditions.ts';
import { flowList } from '../reads/flows.ts';
import type { Queries } from '../reads/queries.ts';
import { triggerList } from '../reads/triggers.ts';
import type { Dialect } from './dialect.ts';
import { executionList, whereOf } from './executionFilters.ts';
import { compileFilters } from './fields.ts';
import { type List, orderBy } from './list.ts';
import { compileLogFilters } from './logFilters.ts';
import { postgresDialect } from './postgresDialect.ts';
import { and, type Sql } from './sql.ts';
import { sqliteDialect } from './sqliteDialect.ts';

/** A text that no statement contains by chance: wherever it appears, it came from the input. */
const tainted = fc.string({ unit: 'binary' }).map((text) => `Tä${text}'"; DROP --`);
const fields = [
  'q',
  'scope',
  'namespace',
  'flowId',
  'state',
  'startDate',
  'endDate',
  'labels',
  'level',
  'triggerId',
];
const field = fc.oneof(fc.constantFrom(...fields, 'triggerExecutionId', 'childFilter', '__proto__'), tainted);
const operation = fc.oneof(fc.constantFrom(...filterOperations), tainted);
const value = fc.oneof(
  tainted,
  fc.array(tainted, { maxLength: 3 }),
  fc.dictionary(tainted, tainted, { maxKeys: 3 }),
  fc.double(),
  fc.constantFrom('USER', 'RUNNING', 'WARN', 'CHILD', '*', '2025-01-01T00:00:00Z'),
);
// `as`: anything that a request may contain.
const filter = fc.record({ field, operation, value }).map((made) => made as Filter);

/** Lists of executions also read the stored flows, whose names come from users as well. */
async function compileExecutions(filters: Filter[], dialect: Dialect): Promise<Sql> {
  const flows = [{ namespace: 'Tä.x', flow_id: "'; DROP" }];
  const queries: Queries = {
    dialect,
    point: async () => flows,
    scan: async () => flows,
    cachedCount: async () => 0,
  };
  return whereOf(await executionConditions(queries, filters));
}

/** Lists whose filters compile to SQL at once. */
const compileList = (list: List, filters: Filter[], dialect: Dialect): Sql =>
  and(...compileFilters(list, filters, dialect));

const compilers: Record<string, (filters: Filter[]) => Promise<Sql>> = {
  executions: (filters) => compileExecutions(filters, sqliteDialect),
  'executions on PostgreSQL': (filters) => compileExecutions(filters, postgresDialect),
  flows: async (filters) => compileList(flowList, filters, sqliteDialect),
  logs: async (filters) => compileLogFilters(filters, sqliteDialect),
  triggers: async (filters) => compileList(triggerList, filters, sqliteDialect),
  'triggers on PostgreSQL': async (filters) => compileList(triggerList, filters, postgresDialect),
  'logs on PostgreSQL': async (filters) => compileLogFilters(filters, postgresDialect),
};

describe.each(Object.entries(compilers))('filters of %s', (_name, compile) => {
  it('never let a value, field or operation reach the text of a statement', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(filter, { maxLength: 4 }), async (filters) => {
        let compiled: Sql;
        try {
          compiled = await compile(filters);
        } catch (error) {
          if (error instanceof AppError && error.code === 'illegal-argument') return;
          throw error;
        }
        expect(compiled.text).not.toMatch(/[Tt]ä|DROP|'|"/);
        expect(compiled.text.split('?').length - 1).toBe(compiled.params.length);
        for (const param of compiled.params) expect(String(param)).not.toContain('\0');
      }),
      { numRuns: 500 },
    );
  });
});

it('never lets a sort field reach the text of a statement', () => {
  fc.assert(
    fc.property(tainted, fc.boolean(), (name, descending) => {
      const query = { page: 1, size: 1, sort: [{ field: name, descending }] };
      expect(() => orderBy(executionList, query)).toThrow(AppError);
    }),
  );
});
