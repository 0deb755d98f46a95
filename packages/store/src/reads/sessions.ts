import { sql } from '../filters/sql.ts';
import type { StoredSessionToken } from '../port/store.ts';
import { decodeSessionToken } from '../rows/sessionRow.ts';
import type { Queries } from './queries.ts';

export async function getSessionToken(
  queries: Queries,
  hash: string,
): Promise<StoredSessionToken | undefined> {
  const [row] = await queries.point(
    sql`SELECT t.hash, t.kind, t.expires_at, t.used_at, s.id, s.username, s.created_at, s.ends_at
      FROM session_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ${hash}`,
  );
  return row && decodeSessionToken(row);
}
