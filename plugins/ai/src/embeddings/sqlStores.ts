import {
  type AdditionalDefinition,
  defineAdditional,
  flag,
  integer,
  listOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { runOtherTask } from '../base/otherTask.ts';
import { ingestExample } from './example.ts';
import { type EmbeddingStore, scoreOfCosine, storePlace } from './store.ts';

const plainName = /^[a-zA-Z_][a-zA-Z0-9_]*(\.[a-zA-Z_][a-zA-Z0-9_]*)?$/;

function checkName(property: string, name: string): string {
  if (plainName.test(name)) return name;
  throw new TaskFailed(`"${property}" must be a plain name, got "${name}".`, { retry: false });
}

const vectorText = (vector: readonly number[]): string => `[${vector.join(',')}]`;

type Parameters = Readonly<Record<string, unknown>>;

/** Runs statements with a task of the JDBC family. */
const querier =
  (context: TaskContext, type: string, connection: Parameters) =>
  async (sql: string, parameters: Parameters = {}, fetchType = 'NONE') => {
    const { rows } = await runOtherTask(context, type, { ...connection, sql, parameters, fetchType });
    return mapsIn(rows);
  };

const readMetadata = (value: unknown): Parameters => {
  if (isMap(value)) return value;
  const read: unknown = typeof value === 'string' ? JSON.parse(value) : {};
  return isMap(read) ? read : {};
};

const pgVector = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.PGVector',
  aliases: ['langchain4j.embeddings.PGVector'],
  title: 'Embeddings in PostgreSQL',
  description:
    'Keeps texts and embeddings in a table of PostgreSQL with the extension pgvector. The extension and the table are created when they are missing.',
  input: () =>
    z.object({
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).describe('Its port.'),
      user: text().describe('The user.'),
      password: text().describe('The password.'),
      database: text().describe('The database.'),
      table: text().describe('The table.'),
      useIndex: flag()
        .default(false)
        .describe('Create an index (HNSW), which makes searches in many texts fast and slightly inexact.'),
    }),
  examples: [
    ingestExample(
      'in_pgvector',
      `type: ai.embeddings.PGVector
host: db.example.com
port: 5432
user: ingest
password: "{{ secret('DB_PASSWORD') }}"
database: documents
table: embeddings`,
    ),
  ],
  create: (context, { host, port, user, password, database, table: name, useIndex }): EmbeddingStore => {
    const table = checkName('table', name);
    const query = querier(context, 'jdbc.postgresql.Query', {
      url: `jdbc:postgresql://${host}:${port}/${database}`,
      username: user,
      password,
    });
    const prepare = async (dimension: number) => {
      await query('CREATE EXTENSION IF NOT EXISTS vector');
      await query(
        `CREATE TABLE IF NOT EXISTS ${table} (embedding_id uuid PRIMARY KEY, embedding vector(${dimension}), text text, metadata json)`,
      );
      if (useIndex)
        await query(
          `CREATE INDEX IF NOT EXISTS ${table.replace('.', '_')}_embedding ON ${table} USING hnsw (embedding vector_cosine_ops)`,
        );
    };
    return {
      name: 'PGVector',
      async add(entries) {
        await prepare(entries[0]?.vector.length ?? 0);
        const rows = entries.map(({ id, vector, text: content, metadata }) => ({
          id,
          embedding: vectorText(vector),
          text: content,
          metadata,
        }));
        await query(
          `INSERT INTO ${table} (embedding_id, embedding, text, metadata)
           SELECT id, CAST(embedding AS vector), text, metadata
           FROM json_to_recordset(CAST(:rows AS json)) AS x(id uuid, embedding text, text text, metadata json)
           ON CONFLICT (embedding_id) DO UPDATE SET embedding = excluded.embedding, text = excluded.text, metadata = excluded.metadata`,
          { rows: JSON.stringify(rows) },
        );
      },
      async search(vector, maxResults, minScore) {
        const rows = await query(
          `SELECT text, CAST(metadata AS text) AS metadata, 1 - (embedding <=> CAST(:vector AS vector)) AS cosine
           FROM ${table} ORDER BY embedding <=> CAST(:vector AS vector) LIMIT :size`,
          { vector: vectorText(vector), size: maxResults },
          'FETCH',
        );
        return rows
          .map((row) => ({
            text: textIn(row.text),
            metadata: readMetadata(row.metadata),
            score: scoreOfCosine(Number(row.cosine)),
          }))
          .filter(({ score }) => score >= minScore);
      },
      clear: async () => void (await query(`DROP TABLE IF EXISTS ${table}`)),
    };
  },
});

const mariaDb = defineAdditional({
  place: storePlace,
  type: 'ai.embeddings.MariaDB',
  title: 'Embeddings in MariaDB',
  description: 'Keeps texts and embeddings in a table of MariaDB 11.7 or newer, which has vectors.',
  input: () =>
    z.object({
      username: text().describe('The user.'),
      password: text().describe('The password.'),
      databaseUrl: text().describe('The database, such as `jdbc:mariadb://host:3306/documents`.'),
      createTable: flag().describe('Create the table when it is missing.'),
      tableName: text().describe('The table.'),
      fieldName: text().describe('The column of the embeddings.'),
      columnDefinitions: listOf(text())
        .optional()
        .describe('Columns for metadata, such as `author varchar(100)`, with `COLUMN_PER_KEY`.'),
      indexes: listOf(text())
        .optional()
        .describe(
          'Indexes to create with the table: columns, such as `author`, or whole statements, such as `CREATE VECTOR INDEX …`.',
        ),
      metadataStorageMode: text()
        .default('COLUMN_PER_KEY')
        .describe(
          '`COLUMN_PER_KEY` keeps metadata in the columns of `columnDefinitions`, `COMBINED_JSON` all of it in the column `metadata`.',
        ),
    }),
  examples: [
    ingestExample(
      'in_mariadb',
      `type: ai.embeddings.MariaDB
username: ingest
password: "{{ secret('DB_PASSWORD') }}"
databaseUrl: jdbc:mariadb://db.example.com:3306/documents
createTable: true
tableName: embeddings
fieldName: embedding
metadataStorageMode: COMBINED_JSON`,
    ),
  ],
  create: (context, input): EmbeddingStore => {
    const table = checkName('tableName', input.tableName);
    const field = checkName('fieldName', input.fieldName);
    const definitions = input.metadataStorageMode === 'COLUMN_PER_KEY' ? (input.columnDefinitions ?? []) : [];
    const columns = definitions.map((one) =>
      checkName('columnDefinitions', one.trim().split(/\s+/)[0] ?? ''),
    );
    const isJson = columns.length === 0;
    const query = querier(context, 'jdbc.mariadb.Query', {
      url: input.databaseUrl,
      username: input.username,
      password: input.password,
    });
    const prepare = async (dimension: number) => {
      if (!input.createTable || (await hasTable())) return;
      const extra = isJson ? ['metadata json'] : definitions;
      await query(
        `CREATE TABLE IF NOT EXISTS ${table} (id uuid PRIMARY KEY, content longtext, ${[`${field} vector(${dimension}) NOT NULL`, ...extra].join(', ')})`,
      );
      for (const [index, one] of (input.indexes ?? []).entries()) await query(indexStatement(one, index));
    };
    const indexStatement = (written: string, index: number): string => {
      if (/^\s*create\s/i.test(written)) return written;
      const names = written.split(',').map((name) => checkName('indexes', name.trim()));
      return `CREATE INDEX ${table.replace('.', '_')}_${index + 1} ON ${table} (${names.join(', ')})`;
    };
    const hasTable = async (): Promise<boolean> => {
      const [name, database = null] = table.split('.').reverse();
      const rows = await query(
        `SELECT 1 FROM information_schema.tables
         WHERE table_schema = COALESCE(:database, DATABASE()) AND table_name = :name`,
        { database, name },
        'FETCH',
      );
      return rows.length > 0;
    };
    return {
      name: 'MariaDB',
      async add(entries) {
        await prepare(entries[0]?.vector.length ?? 0);
        const names = isJson ? ['metadata'] : columns;
        for (const { id, vector, text: content, metadata } of entries) {
          const values = isJson
            ? { metadata: JSON.stringify(metadata) }
            : Object.fromEntries(columns.map((column) => [column, metadata[column] ?? null]));
          await query(
            `INSERT INTO ${table} (id, content, ${field}, ${names.join(', ')})
             VALUES (:id, :content, VEC_FromText(:vector), ${names.map((name) => `:${name}`).join(', ')})`,
            { id, content, vector: vectorText(vector), ...values },
          );
        }
      },
      async search(vector, maxResults, minScore) {
        const names = isJson ? ['metadata'] : columns;
        const rows = await query(
          `SELECT content, ${names.join(', ')}, 1 - VEC_DISTANCE_COSINE(${field}, VEC_FromText(:vector)) AS cosine
           FROM ${table} ORDER BY VEC_DISTANCE_COSINE(${field}, VEC_FromText(:vector)) LIMIT :size`,
          { vector: vectorText(vector), size: maxResults },
          'FETCH',
        );
        return rows
          .map(({ content, cosine, metadata, ...rest }) => ({
            text: textIn(content),
            metadata: isJson ? readMetadata(metadata) : rest,
            score: scoreOfCosine(numberIn(cosine)),
          }))
          .filter(({ score }) => score >= minScore);
      },
      clear: async () => void (await query(`DROP TABLE IF EXISTS ${table}`)),
    };
  },
});

export const sqlStores: readonly AdditionalDefinition[] = [pgVector, mariaDb];
