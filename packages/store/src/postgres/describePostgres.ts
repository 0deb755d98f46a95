import { sql } from '../filters/sql.ts';
import type { DatabaseFacts } from '../port/health.ts';
import type { Queries } from '../reads/queries.ts';

export async function describePostgres(queries: Queries): Promise<DatabaseFacts> {
  const [row] = await queries.scan(
    sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size,
       (SELECT max(version) FROM schema_version) AS migration, current_setting('max_connections')::integer AS max,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  return {
    kind: 'PostgreSQL',
    version: String(row?.version),
    migration: Number(row?.migration),
    sizeBytes: Number(row?.size),
    connections: { used: Number(row?.used), max: Number(row?.max) },
    ...(await walBytes(queries)),
  };
}

/** Only members of `pg_monitor` may list the WAL files. */
async function walBytes(queries: Queries): Promise<Pick<DatabaseFacts, 'walBytes'>> {
  try {
    const [row] = await queries.scan(sql`SELECT sum(size)::bigint AS bytes FROM pg_ls_waldir()`);
    return row?.bytes == null ? {} : { walBytes: Number(row.bytes) };
  } catch {
    return {};
  }
}
