import { readFileSync } from 'node:fs';
import { families } from '@millrace/plugins';
import { createTestDatabase, type TestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBlueprints } from './content/blueprints.ts';
import { sharedServer, stateOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

const definitions = families.filter(({ name }) => name === 'jdbc').flatMap(({ types }) => types);
const folder = new URL('../../../content/blueprints/flow/', import.meta.url);
const orders = 'customer_id,amount\n1,90\n2,200\n1,300\n';

/** Each continues with the tables of the one before. */
const ids = [
  'load-csv-into-postgresql',
  'postgresql-to-parquet',
  'check-data-with-sql',
  'export-a-table-every-night',
  'nightly-warehouse-load',
  'join-files-with-duckdb',
  'report-as-sqlite-file',
];

describe('blueprints of databases run with a real PostgreSQL, DuckDB and SQLite', () => {
  const shared = sharedServer(sqlite, { env: { PATH: process.env.PATH ?? '' }, definitions });
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(ids)('%s', async (id) => {
    const path = `${id}.md`;
    const [blueprint] = toBlueprints([{ path, text: readFileSync(new URL(path, folder), 'utf8') }], 'flow');
    const source = blueprint?.source ?? '';
    const server = shared();
    await server.saveFlow(source);
    const { host, pathname } = new URL(database.url);
    const inputs = [
      { name: 'url', content: `jdbc:postgresql://${host}${pathname}` },
      { name: 'username', content: 'postgres' },
      { name: 'orders', fileName: 'orders.csv', content: orders },
    ].filter(({ name }) => source.includes(`- id: ${name}\n    type:`));
    const flow = id.replaceAll('-', '_');
    const started = await server.call(
      'POST',
      `/executions/company.team/${flow}`,
      inputs.length > 0 ? multipart(...inputs) : {},
    );
    expect([started.status, started.body.message]).toEqual([200, undefined]);
    const executionId = String(started.body.id);
    const ended = await server.waitForState(executionId, 'SUCCESS', 'WARNING', 'FAILED', 'KILLED');
    const logs = await server.product.store.listLogs({ executionId, minLevel: 'ERROR' });
    expect({ state: stateOf(ended), errors: logs.map(({ message }) => message) }).toEqual({
      state: 'SUCCESS',
      errors: [],
    });
  });

  it('and have left what they promise', async () => {
    expect(await database.query('SELECT customer_id, amount::int AS amount FROM revenue ORDER BY 1')).toEqual(
      [
        { customer_id: 1, amount: 390 },
        { customer_id: 2, amount: 200 },
      ],
    );
  });
});
