import { createTestDatabase } from '@millrace/store/suite';
import { expect, test } from 'vitest';
import { aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { redshiftTypes } from './redshift.ts';

const run = runnerOf(redshiftTypes);

/** Redshift uses the PostgreSQL protocol, so PostgreSQL replaces it here. */
test('queries over the protocol of PostgreSQL', async () => {
  const database = await createTestDatabase();
  try {
    const { host, pathname } = new URL(database.url);
    const connection = { url: `jdbc:redshift://${host}${pathname}`, username: 'postgres' };
    const sql = "SELECT '10:20:30+02'::timetz AS clock, '2026-01-31 10:00'::timestamp AS at, :n::int AS n";
    const outputs = await run(
      'Query',
      { ...connection, sql, parameters: { n: 1 }, fetchType: 'FETCH_ONE' },
      aDatabaseContext(),
    );
    expect(outputs.row).toEqual({ clock: '10:20:30+02:00', at: '2026-01-31T10:00:00', n: 1 });
    const script = 'CREATE TEMP TABLE t (id int); INSERT INTO t VALUES (1); SELECT count(*) AS n FROM t';
    expect(
      await run('Queries', { ...connection, sql: script, fetchType: 'FETCH' }, aDatabaseContext()),
    ).toEqual({
      outputs: [{ rows: [{ n: 1 }], size: 1 }],
    });
  } finally {
    await database.drop();
  }
});

test('says that IAM URLs are not supported', async () => {
  const url = 'jdbc:redshift:iam://example:eu-west-1/dev';
  await expect(run('Query', { url, sql: 'SELECT 1' }, aDatabaseContext())).rejects.toThrow(
    'Redshift URLs with "iam" are not supported',
  );
});
