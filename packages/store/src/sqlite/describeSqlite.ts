import { stat } from 'node:fs/promises';
import type { DatabaseFacts } from '../port/health.ts';
import type { StatementCache } from './statementCache.ts';

export async function describeSqlite(file: string, statements: StatementCache): Promise<DatabaseFacts> {
  const [row] = statements.all(
    'SELECT sqlite_version() AS version, (SELECT max(version) FROM schema_version) AS migration',
    [],
  );
  const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0;
  const [sizeBytes, walBytes] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)]);
  return {
    kind: 'SQLite',
    version: String(row?.version),
    migration: Number(row?.migration),
    sizeBytes,
    walBytes,
  };
}
