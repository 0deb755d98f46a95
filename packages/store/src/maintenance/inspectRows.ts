import { raw, sql, values } from '../filters/sql.ts';
import { isKnownSchema, lastPreview, newestSchema } from '../migrations/migrations.ts';
import type { Queries } from '../reads/queries.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import { findUnreadable } from './findUnreadable.ts';
import type { StoreInspection, StoreInspector } from './inspection.ts';

const oldestShown = 20;

/** The queries are the same for both databases; only the check of the database's own structure differs. */
export function inspectRows(
  read: Queries['scan'],
  own: {
    hasSchema(): Promise<boolean>;
    problems(): Promise<readonly string[]>;
    /** Absent where a database has at most one server. */
    markingServers?(): Promise<readonly string[]>;
    close(): Promise<void>;
  },
): StoreInspector {
  const schemaOf = async (): Promise<number> => {
    if (!(await own.hasSchema())) return 0;
    const [version] = await read(sql`SELECT max(version) AS version FROM schema_version`);
    return Number(version?.version ?? 0);
  };
  const inspect = async (): Promise<StoreInspection> => {
    const schema = await schemaOf();
    const known = { knownSchema: newestSchema, isKnown: isKnownSchema(schema) };
    if (schema === 0) return { schema, ...known, problems: [], executions: 0, open: 0, oldestOpen: [] };
    const problems = await own.problems();
    const [latest] = await read(
      sql`SELECT max(at) AS at FROM (SELECT max(start_date) AS at FROM executions UNION ALL SELECT max(at) FROM logs) l`,
    );
    const [all] = await read(sql`SELECT count(*) AS n FROM executions`);
    const isOpen = raw(`${schema <= lastPreview ? 'over_at' : 'closed_at'} IS NULL`);
    const [open] = await read(sql`SELECT count(*) AS n FROM executions WHERE ${isOpen}`);
    const oldest = await read(
      sql`SELECT id, state, start_date FROM executions WHERE ${isOpen} ORDER BY start_date LIMIT ${oldestShown}`,
    );
    return {
      schema,
      ...known,
      problems,
      ...(latest?.at === null || latest?.at === undefined ? {} : { latestAt: Number(latest.at) }),
      executions: Number(all?.n ?? 0),
      open: Number(open?.n ?? 0),
      oldestOpen: oldest.map((row) => ({
        id: decodeText(String(row.id)),
        state: String(row.state),
        startedAt: Number(row.start_date),
      })),
    };
  };
  const existing = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    if (ids.length === 0 || !(await own.hasSchema())) return new Set();
    const rows = await read(sql`SELECT id FROM executions WHERE id IN (${values(ids.map(encodeText))})`);
    return new Set(rows.map((row) => decodeText(String(row.id))));
  };
  // Another schema may have other tables.
  const unreadable = async () => ((await schemaOf()) === newestSchema ? findUnreadable(read) : []);
  const markingServers = async () => (await own.markingServers?.()) ?? [];
  return { inspect, unreadable, existing, markingServers, close: () => own.close() };
}
