import { startMariadb } from '@millrace/plugin-kit/testing';
import { createTestDatabase } from '@millrace/store/suite';
import { expect, onTestFinished, test } from 'vitest';
import { measureStream } from './testing/measureStream.ts';

/** 2 GB in rows of about 4 KB, unless MILLRACE_RESULT_MB says otherwise. */
const megabytes = Number(process.env.MILLRACE_RESULT_MB ?? 2_000);
const rowCount = megabytes * 250;

const sources: readonly (readonly [string, () => Promise<object>])[] = [
  [
    'jdbc.postgresql.Query',
    async () => {
      const database = await createTestDatabase();
      onTestFinished(() => database.drop());
      const { host, pathname } = new URL(database.url);
      return {
        url: `jdbc:postgresql://${host}${pathname}`,
        username: 'postgres',
        sql: `SELECT i, repeat('x', 4000) AS text FROM generate_series(1, ${rowCount}) AS i`,
      };
    },
  ],
  [
    'jdbc.mariadb.Query',
    async () => {
      const server = await startMariadb();
      onTestFinished(() => server.stop());
      return {
        url: `jdbc:mariadb://127.0.0.1:${server.port}/shop`,
        username: 'app',
        password: 's3cret',
        sql: `SELECT seq, repeat('x', 4000) AS text FROM seq_1_to_${rowCount}`,
      };
    },
  ],
  [
    'jdbc.duckdb.Query',
    async () => ({ sql: `SELECT range AS n, repeat('x', 4000) AS text FROM range(${rowCount})` }),
  ],
  [
    'jdbc.sqlite.Query',
    async () => ({
      sql: `WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < ${rowCount}) SELECT n, hex(zeroblob(2000)) AS text FROM t`,
    }),
  ],
];

test.each(sources)(
  'a result of %s with 2 GB streams to storage below 200 MB of process memory',
  async (type, prepare) => {
    const measured = await measureStream(type, { ...(await prepare()), fetchType: 'STORE' });
    console.log(type, measured);
    expect(measured.size).toBe(rowCount);
    expect(measured.bytes).toBeGreaterThan(megabytes * 1_000_000);
    expect(measured.peakMegabytes).toBeLessThan(200);
    expect(measured.childMegabytes).toBeLessThan(200);
  },
  1_800_000,
);
