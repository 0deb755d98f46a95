import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../openStore.ts';
import { openDatabase } from '../sqlite/openDatabase.ts';
import { createTestDatabase, temporaryFolder } from '../suite/index.ts';
import { lastPreview, migrations, missingMigrations, newestSchema } from './migrations.ts';

const newer = 'INSERT INTO schema_version (version, applied_at) VALUES (99, 0)';
const refusal = {
  code: 'illegal-state',
  message: expect.stringContaining(
    'The database has schema 99, but this release of Millrace knows schemas up to',
  ),
};

describe('migrations', () => {
  it('are in order and run from where the database is', () => {
    const versions = migrations.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(missingMigrations(lastPreview).map(({ version }) => version)).toEqual(versions);
    expect(missingMigrations(0)).toEqual(migrations);
    expect(missingMigrations(newestSchema)).toEqual([]);
  });

  it('[A46] refuse a SQLite file of a newer release, and release the folder', async () => {
    const folder = temporaryFolder();
    const config = { kind: 'sqlite', folder: folder.path } as const;
    await (await openStore(config)).close();
    const database = openDatabase(join(folder.path, 'millrace.db'));
    database.exec(newer);
    await expect(openStore(config)).rejects.toMatchObject(refusal);
    database.exec('DELETE FROM schema_version WHERE version = 99');
    database.close();
    await (await openStore(config)).close();
    folder.remove();
  });

  it('[A46] refuse a PostgreSQL database of a newer release', async () => {
    const database = await createTestDatabase();
    const config = { kind: 'postgres', url: database.url } as const;
    await (await openStore(config)).close();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(newer);
    await client.end();
    await expect(openStore(config)).rejects.toMatchObject(refusal);
    await database.drop();
  });

  it('[A46] run once when several servers start at the same time', async () => {
    const database = await createTestDatabase();
    const config = { kind: 'postgres', url: database.url } as const;
    const stores = await Promise.all([openStore(config), openStore(config), openStore(config)]);
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });
});

/** Queries of lists and searches, each with the index that must be used. */
const served: [string, string][] = [
  ['SELECT seq FROM executions ORDER BY flow_id, namespace, start_date, seq LIMIT 25', 'executions_flow'],
  ['SELECT seq FROM executions ORDER BY state DESC, start_date DESC, seq DESC LIMIT 25', 'executions_state'],
  ['SELECT seq FROM executions ORDER BY namespace, start_date, seq LIMIT 25', 'executions_namespace'],
  [
    "SELECT execution_id FROM execution_labels WHERE key = 'a' AND value = 'b' ORDER BY start_date DESC LIMIT 25",
    'execution_labels_value',
  ],
];

describe('indexes serve what they were made for', () => {
  it('on SQLite', async () => {
    const folder = temporaryFolder();
    await (await openStore({ kind: 'sqlite', folder: folder.path })).close();
    const database = openDatabase(join(folder.path, 'millrace.db'));
    for (const [question, index] of served) {
      const plan = JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${question}`).all());
      expect(plan).toContain(`INDEX ${index}`);
    }
    database.close();
    folder.remove();
  });

  it('on PostgreSQL', async () => {
    const database = await createTestDatabase();
    await (await openStore({ kind: 'postgres', url: database.url })).close();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // PostgreSQL scans an empty table sequentially whatever its indexes are.
    await client.query('SET enable_seqscan = off; SET enable_sort = off');
    const words = `SELECT id FROM logs WHERE log_words(search) @@ CAST('rare:*' AS tsquery)`;
    for (const [question, index] of [...served, [words, 'logs_words'] as const]) {
      const { rows } = await client.query(`EXPLAIN ${question}`);
      expect(JSON.stringify(rows)).toMatch(new RegExp(` (using|on) ${index} `));
    }
    await client.end();
    await database.drop();
  });
});
