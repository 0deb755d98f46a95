import { jdbcFamily } from '@millrace/plugin-jdbc';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { runType, startMariadb } from '@millrace/plugin-kit/testing';
import { createTestDatabase } from '@millrace/store/suite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ragChatCompletion } from '../rag/chatCompletion.ts';
import { anAiContext } from '../testing/aiContext.ts';
import { anAtlasStub } from '../testing/atlasStub.ts';
import { ModelServer } from '../testing/modelServer.ts';
import { ragTasks, texts } from '../testing/ragTasks.ts';
import { startRedisSearch } from '../testing/redisSearch.ts';
import { StoreServer } from '../testing/storeServer.ts';
import { TablestoreServer } from '../testing/tablestoreServer.ts';

type Data = Record<string, unknown>;
type Context = ReturnType<typeof anAiContext>;

const model = new ModelServer();
const stores = new StoreServer();
const tables = new TablestoreServer();
beforeAll(async () => void (await Promise.all([model.start(), stores.start(), tables.start()])));
afterAll(() => Promise.all([model.stop(), stores.stop(), tables.stop()]));

const { provider, ingest, search } = ragTasks(model);
const metadata = { author: "Zoë O'Neil" };
const fromDocuments = texts.map((content) => ({ content, metadata }));

async function keepFindAndDrop(embeddings: Data, context: Context): Promise<void> {
  await ingest({ embeddings, fromDocuments, bulkSize: 2 }, context);
  expect(await search({ embeddings, maxResults: 2 }, context)).toMatchObject({
    results: [texts[0], expect.any(String)],
  });
  expect((await search({ embeddings, maxResults: 9, minScore: 0.99 }, context)).results).toEqual([]);
  await ingest({ embeddings, drop: true, fromDocuments: [{ content: 'Étage new' }] }, context);
  expect((await search({ embeddings, maxResults: 9 }, context)).results).toEqual(['Étage new']);
}

/** The metadata and the score of the only text that a question finds. */
async function sourceOf(embeddings: Data, context: Context): Promise<unknown> {
  model.play([{ text: 'ok' }]);
  const { sources } = await runType(
    ragChatCompletion,
    {
      chatProvider: provider(),
      embeddings,
      contentRetrieverConfiguration: { maxResults: 1 },
      prompt: texts[0],
    },
    context,
  );
  return sources;
}
const exactSource = [{ content: texts[0], metadata: { ...metadata, score: expect.closeTo(1, 5) } }];

describe('every store with an HTTP API keeps, finds and drops texts', () => {
  test.each<[string, (url: URL) => Data]>([
    ['Qdrant', ({ hostname, port }) => ({ host: hostname, port, apiKey: 'k', collectionName: 'docs' })],
    ['Chroma', ({ origin }) => ({ baseUrl: `${origin}/chroma`, collectionName: 'docs' })],
    [
      'Elasticsearch',
      ({ origin }) => ({
        connection: { hosts: [`${origin}/elastic`], basicAuth: { username: 'u', password: 'p' } },
        indexName: 'docs',
      }),
    ],
    [
      'Weaviate',
      ({ hostname, port }) => ({ scheme: 'http', host: hostname, port, apiKey: 'k', objectClass: 'Docs' }),
    ],
    ['Pinecone', () => ({ apiKey: 'k', cloud: 'aws', region: 'us-east-1', index: 'docs' })],
    [
      'Tablestore',
      () => ({
        endpoint: tables.url,
        instanceName: 'inst',
        accessKeyId: 'id',
        accessKeySecret: 'secret',
      }),
    ],
    ['Milvus', ({ origin }) => ({ uri: origin, token: 'k', collectionName: 'docs' })],
  ])('%s', async (name, properties) => {
    stores.clear();
    const context = anAiContext({ redirect: { 'https://api.pinecone.io': `${stores.url}/pinecone` } });
    const embeddings = { type: `ai.embeddings.${name}`, ...properties(new URL(stores.url)) };
    await keepFindAndDrop(embeddings, context);
  });
});

/** The type, the cast and the operator of pgvector, which Debian does not have, in plain SQL. */
const plainVectors = `CREATE DOMAIN vector AS text;
CREATE FUNCTION cosine_distance(a text, b text) RETURNS float8 LANGUAGE sql IMMUTABLE AS '
  SELECT 1 - sum(x * y) / nullif(sqrt(sum(x * x)) * sqrt(sum(y * y)), 0)
  FROM unnest(translate(a, ''[]'', ''{}'')::float8[], translate(b, ''[]'', ''{}'')::float8[]) AS t(x, y)';
CREATE OPERATOR <=> (leftarg = text, rightarg = text, function = cosine_distance)`;

test('PostgreSQL keeps, finds and drops texts, with an emulation of pgvector', async () => {
  const database = await createTestDatabase();
  try {
    const { hostname: host, port, pathname, username, password } = new URL(database.url);
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    const query = jdbcFamily.types.find(({ type }) => type === 'jdbc.postgresql.Query') as TaskDefinition;
    const statements: string[] = [];
    // The extension and the length of a vector are left out, because a domain has neither.
    const emulated: TaskDefinition = {
      ...query,
      run: (context, input) => {
        const { sql } = input as { sql: string };
        statements.push(sql);
        const plain = sql.startsWith('CREATE EXTENSION')
          ? 'SELECT 1'
          : sql.replace(/vector\(\d+\)/, 'vector');
        return query.run(context, {
          ...(input as object),
          sql: plain.startsWith('CREATE INDEX') ? 'SELECT 1' : plain,
        });
      },
    };
    const context = anAiContext({ types: [emulated] });
    await runType(
      query,
      {
        url: `jdbc:postgresql://${host}:${port}${pathname}`,
        username: login.user,
        password: login.password,
        sql: plainVectors,
      },
      context,
    );
    const place = { host, port, database: pathname.slice(1), ...login, table: 'docs', useIndex: true };
    const embeddings = { type: 'ai.embeddings.PGVector', ...place };
    await keepFindAndDrop(embeddings, context);
    expect(statements).toContain('CREATE EXTENSION IF NOT EXISTS vector');
    expect(statements.join()).toMatch(/embedding vector\(\d+\).*USING hnsw \(embedding vector_cosine_ops\)/s);
  } finally {
    await database.drop();
  }
});

/** The functions of MariaDB 11.7 for vectors, which the one of Debian does not have; a vector is a text here. */
const mariadbVectors = `CREATE FUNCTION VEC_FromText(v longtext) RETURNS longtext DETERMINISTIC
  RETURN IF(JSON_VALID(v), v, NULL);
CREATE FUNCTION VEC_DISTANCE_COSINE(a longtext, b longtext) RETURNS double DETERMINISTIC
  RETURN (SELECT 1 - SUM(x.v * y.v) / SQRT(SUM(x.v * x.v) * SUM(y.v * y.v))
    FROM JSON_TABLE(a, '$[*]' COLUMNS (i FOR ORDINALITY, v double PATH '$')) x
    JOIN JSON_TABLE(b, '$[*]' COLUMNS (i FOR ORDINALITY, v double PATH '$')) y ON x.i = y.i)`;

describe('MariaDB with an emulation of its vectors', () => {
  const query = jdbcFamily.types.find(({ type }) => type === 'jdbc.mariadb.Query') as TaskDefinition;
  const statements: string[] = [];
  // A column of the type vector is a text, because the type cannot be emulated.
  const emulated: TaskDefinition = {
    ...query,
    run: (context, input) => {
      const { sql } = input as { sql: string };
      statements.push(sql);
      return query.run(context, { ...(input as object), sql: sql.replace(/vector\(64\)/, 'longtext') });
    },
  };
  let place: Data;
  let stop = async () => {};
  let execute: (sql: string) => Promise<unknown>;
  beforeAll(async () => {
    const server = await startMariadb();
    ({ stop, execute } = server);
    await execute(`USE shop; ${mariadbVectors}`);
    place = {
      type: 'ai.embeddings.MariaDB',
      databaseUrl: `jdbc:mariadb://127.0.0.1:${server.port}/shop`,
      username: 'app',
      password: 's3cret',
      createTable: true,
      fieldName: 'place_in_space',
    };
  });
  afterAll(() => stop());

  test.each<[string, Data]>([
    ['one column', { tableName: 'combined', metadataStorageMode: 'COMBINED_JSON' }],
    [
      'a column for each key',
      {
        tableName: 'shop.columns_of',
        columnDefinitions: ['author varchar(100)'],
        indexes: ['author', 'CREATE INDEX by_content ON columns_of (content(10))'],
      },
    ],
  ])('keeps, finds and drops texts, with metadata in %s', async (_, properties) => {
    const context = anAiContext({ types: [emulated] });
    const embeddings = { ...place, ...properties };
    await keepFindAndDrop(embeddings, context);
    await ingest({ embeddings, fromDocuments }, context);
    expect(await sourceOf(embeddings, context)).toEqual(exactSource);
  });

  test('creates vectors and indexes with the table, and neither when it must not', async () => {
    expect(statements.join('\n')).toMatch(/columns_of \(id uuid .* place_in_space vector\(64\) NOT NULL/);
    const indexes = statements.filter((sql) => sql.startsWith('CREATE INDEX'));
    // Twice: the table was dropped in between.
    expect(indexes.filter((sql) => sql.endsWith('(author)'))).toHaveLength(2);
    const context = anAiContext({ types: [emulated] });
    const embeddings = { ...place, createTable: false, tableName: 'missing' };
    await expect(ingest({ embeddings, fromDocuments }, context)).rejects.toThrow("doesn't exist");
    await expect(
      ingest({ embeddings: { ...place, tableName: 'a; b' }, fromDocuments }, context),
    ).rejects.toThrow('"tableName" must be a plain name, got "a; b".');
  });
});

test.each(['Unknown index name', 'docs: no such index', 'SEARCH_INDEX_NOT_FOUND Index not found'])(
  'Redis keeps, finds and drops texts, when an engine calls a missing index "%s"',
  async (missing) => {
    const redis = await startRedisSearch();
    onTestFinished(() => redis.close());
    redis.missing = missing;
    const context = anAiContext();
    const embeddings = {
      type: 'ai.embeddings.Redis',
      host: '127.0.0.1',
      port: redis.port,
      indexName: 'docs',
    };
    await keepFindAndDrop(embeddings, context);
    await ingest({ embeddings, fromDocuments }, context);
    expect(await sourceOf(embeddings, context)).toEqual(exactSource);
    // One for each time that the index was missing.
    expect(redis.commands.filter((name) => name === 'FT.CREATE')).toHaveLength(2);
    redis.isFull = true;
    await expect(ingest({ embeddings, fromDocuments }, context)).rejects.toThrow('OOM command not allowed');
  },
);

test('Redis refuses vectors of another length than those of its index, until all texts are replaced', async () => {
  const redis = await startRedisSearch();
  onTestFinished(() => redis.close());
  const embeddings = { type: 'ai.embeddings.Redis', host: '127.0.0.1', port: redis.port, indexName: 'docs' };
  const context = anAiContext();
  const short = { embeddings, fromDocuments, provider: { ...provider(), modelName: 'short' } };
  await ingest({ embeddings, fromDocuments }, context);
  const reason = 'The index "docs" holds vectors of 64 numbers, but the model makes vectors of 32.';
  await expect(ingest(short, context)).rejects.toThrow(reason);
  await expect(search({ embeddings, provider: short.provider }, context)).rejects.toThrow(reason);
  expect(await sourceOf(embeddings, context)).toEqual(exactSource);
  await ingest({ ...short, drop: true }, context);
  await expect(ingest({ embeddings, fromDocuments }, context)).rejects.toThrow('holds vectors of 32 numbers');
});

test('MongoDB Atlas keeps, finds and drops texts, and creates its index once', async () => {
  const atlas = await anAtlasStub();
  const context = anAiContext();
  const embeddings = {
    type: 'ai.embeddings.MongoDBAtlas',
    scheme: 'mongodb',
    host: new URL(atlas.uri).host,
    username: 'ada',
    password: 'p@ss/word',
    options: { directConnection: true, authMechanism: 'PLAIN' },
    database: 'docs',
    collectionName: 'texts',
    indexName: 'by_vector',
    metadataFieldNames: ['author'],
  };
  await ingest({ embeddings, fromDocuments }, context);
  expect(atlas.indexes).toEqual([]);
  await keepFindAndDrop({ ...embeddings, createIndex: true }, context);
  expect(atlas.indexes).toEqual([
    {
      name: 'by_vector',
      type: 'vectorSearch',
      definition: {
        fields: [
          { type: 'vector', path: 'embedding', numDimensions: 64, similarity: 'cosine' },
          { type: 'filter', path: 'metadata.author' },
        ],
      },
    },
  ]);
  await ingest({ embeddings, fromDocuments }, context);
  expect(await sourceOf(embeddings, context)).toEqual(exactSource);
  expect(await search({ embeddings, maxResults: 5_000 }, context)).toMatchObject({ size: 4 });
  expect(new Set(atlas.logins)).toEqual(new Set(['\0ada\0p@ss/word']));
  expect(atlas.commands.every(({ $db }) => $db === 'docs')).toBe(true);
});
