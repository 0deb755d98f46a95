import { raw, sql } from '../filters/sql.ts';
import type { StoreInspector } from '../maintenance/inspection.ts';
import { inspectRows } from '../maintenance/inspectRows.ts';
import { databaseNow } from './cluster/context.ts';
import { createPool } from './connect.ts';
import { createQueries } from './createQueries.ts';

const readTimeoutMs = 60_000;
const aliveWithinMs = 60_000;

export function inspectPostgres(url: string): StoreInspector {
  const pool = createPool(url, { max: 1, statement_timeout: readTimeoutMs });
  const { scan } = createQueries(pool);
  return inspectRows(scan, {
    hasSchema: async () =>
      (await scan(sql`SELECT to_regclass('schema_version') AS found`))[0]?.found !== null,
    // PostgreSQL looks after its own files; what can be seen from here is an index that was left half built.
    problems: async () =>
      (await scan(sql`SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid`)).map(
        (row) => `The index ${row.name} is not valid.`,
      ),
    markingServers: async () => {
      if ((await scan(sql`SELECT to_regclass('servers') AS found`))[0]?.found === null) return [];
      const rows = await scan(
        sql`SELECT id FROM servers WHERE gone_at IS NULL AND seen_at > ${raw(databaseNow)} - ${aliveWithinMs}
          AND data LIKE '%"marksStorage":true%' ORDER BY id`,
      );
      return rows.map((row) => String(row.id));
    },
    close: () => pool.end(),
  });
}
