import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  startRealServer,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neo4jFamily } from './index.ts';

/** The class path of Neo4j. */
const jars = process.env.MILLRACE_TEST_NEO4J;

describe.skipIf(jars === undefined)('Neo4j', { timeout: 120_000 }, () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startNeo4j(jars ?? '');
  }, 240_000);
  afterAll(() => server?.stop(), 60_000);

  const aContext = () => aTaskContext(realNetwork());
  const login = { username: 'neo4j', password: 'correct horse' };
  const run = (type: string, input: object, context: TestContext = aContext(), scheme = 'bolt') =>
    runType(
      // `as`: both types are tasks.
      neo4jFamily.types.find((each) => each.type === `neo4j.${type}`) as TaskDefinition,
      { url: `${scheme}://${server.host}:${server.port}`, ...login, ...input },
      context,
    );

  test('rows are written in one transaction and read with their types', async () => {
    const context = aContext();
    const lines = [
      '{"id":1,"name":"Ada","born":1815-12-10,"seen":2026-01-31T10:20:30.5Z,"score":1.5e0,"price":1.50d0}',
      '{"id":9007199254740993,"name":"Bob","tags":["a","b"],"whole":2e0,"bytes":{{aGk=}}}',
      '{"id":3,"name":"Eve","at":LocalDateTime::"2026-01-31T10:20","clock":LocalTime::"10:20:30"}',
    ];
    const from = await context.files.put('people.ion', lines.join('\n'));
    const written = await run(
      'Batch',
      { from, chunk: 2, query: 'UNWIND $props AS row CREATE (p:Person) SET p = row' },
      context,
    );
    // Three nodes, three labels and fifteen properties.
    expect(written).toEqual({ rowCount: 3, updatedCount: 21 });
    expect(context.metrics.map(({ name, value }) => [name, value])).toEqual([
      ['records.processed', 3],
      ['records.updated', 21],
    ]);
    const query = 'MATCH (p:Person) RETURN p.id AS id, p { .* } AS all ORDER BY p.name';
    const { rows, size } = await run('Query', { query, storeType: 'FETCH' });
    expect(size).toBe(3);
    expect(rows).toEqual([
      {
        id: 1,
        all: {
          id: 1,
          name: 'Ada',
          born: '1815-12-10',
          seen: '2026-01-31T10:20:30.500Z',
          score: 1.5,
          price: 1.5,
        },
      },
      {
        id: '9007199254740993',
        all: { id: '9007199254740993', name: 'Bob', tags: ['a', 'b'], whole: 2, bytes: 'aGk=' },
      },
      { id: 3, all: { id: 3, name: 'Eve', at: '2026-01-31T10:20', clock: '10:20:30' } },
    ]);
    const stored = await run('Query', { query, storeType: 'STORE' }, context);
    const text = await context.files.text(String(stored.uri));
    expect(text).toContain('"whole":2e0');
    expect(text).toContain('"born":1815-12-10');
  });

  test('a batch that fails writes nothing', async () => {
    const context = aContext();
    const from = await context.files.put('rows.ion', '{"n":1}\n{"n":0}\n');
    const query = 'UNWIND $props AS row CREATE (:Broken {n: 1 / row.n})';
    await expect(run('Batch', { from, chunk: 1, query }, context)).rejects.toThrow('/ by zero');
    const count = 'MATCH (b:Broken) RETURN count(b) AS n';
    expect((await run('Query', { query: count, storeType: 'FETCHONE' })).row).toEqual({ n: 0 });
  });

  test('nodes, relationships, paths, points and durations become maps and texts', async () => {
    const query = `CREATE path = (a:City {name: "Rome"})-[road:ROAD {km: 570}]->(b:City)
      RETURN a, road, path, point({x: 1, y: 2}) AS here, duration("P1M2DT3S") AS span,
        time("10:20+02:00") AS clock, datetime("2026-01-31T10:20[Europe/Paris]") AS moment`;
    const { row } = await run('Query', { query, storeType: 'FETCHONE' });
    const city = { elementId: expect.any(String), labels: ['City'], properties: { name: 'Rome' } };
    const road = { type: 'ROAD', properties: { km: 570 }, startNodeElementId: expect.any(String) };
    expect(row).toMatchObject({
      a: city,
      road,
      path: { start: city, segments: [{ start: city, relationship: road }] },
      here: { srid: 7203, x: 1, y: 2 },
      span: 'P1M2DT3S',
      clock: '10:20:00+02:00',
      moment: '2026-01-31T10:20+01:00[Europe/Paris]',
    });
    // A query that writes is committed even when only its first record is read.
    const many = 'UNWIND range(1, 5000) AS n CREATE (x:Many {n: n}) RETURN x';
    await run('Query', { query: many, storeType: 'FETCHONE' });
    const count = 'MATCH (x:Many) RETURN count(x) AS n';
    expect((await run('Query', { query: count, storeType: 'FETCHONE' })).row).toEqual({ n: 5000 });
  });

  test('the scheme neo4j asks which server accepts writes', async () => {
    const write = { query: 'CREATE (:Routed)', storeType: 'NONE' };
    expect(await run('Query', write, aContext(), 'neo4j')).toEqual({});
  });

  test('a large result is streamed to storage in bounded memory', async () => {
    const context = aContext();
    let bytes = 0;
    const measured = {
      ...context,
      files: Object.assign(Object.create(context.files), {
        put: async (_: string, content: AsyncIterable<Uint8Array>) => {
          for await (const chunk of content) bytes += chunk.length;
          return 'millrace:///rows.ion';
        },
      }),
    };
    const before = process.memoryUsage().rss;
    const query = `UNWIND range(1, 300000) AS n RETURN n, "${'x'.repeat(1000)}" AS text`;
    expect((await run('Query', { query, storeType: 'STORE' }, measured)).size).toBe(300_000);
    expect(bytes).toBeGreaterThan(300_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_048_576);
  });

  test('a killed task ends within two seconds', async () => {
    const context = aContext();
    const query = 'UNWIND range(1, 100000000000) AS n WITH n WHERE n < 0 RETURN count(n) AS slow_count';
    const running = run('Query', { query, storeType: 'FETCH' }, context);
    const show = {
      query:
        "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS 'slow_count' RETURN count(*) AS n",
      storeType: 'FETCHONE',
    };
    // The query that counts contains the word too.
    await expect.poll(async () => (await run('Query', show)).row, { timeout: 20_000 }).toEqual({ n: 2 });
    const killedAt = Date.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(Date.now() - killedAt).toBeLessThan(2_000);
    await expect.poll(async () => (await run('Query', show)).row, { timeout: 20_000 }).toEqual({ n: 1 });
  });

  test('wrong credentials and a wrong query are named', async () => {
    const query = 'RETURN 1';
    await expect(run('Query', { query, password: 'wrong' })).rejects.toThrow('unauthorized');
    await expect(run('Query', { query: 'RETRUN 1' })).rejects.toThrow('Invalid input');
  });
});

/** Starts the database with its Bolt connector; the published jars contain no program that does it. */
const startNeo4j = (classPath: string): Promise<RunningServer> =>
  startRealServer({
    program: 'java',
    startWithinMs: 180_000,
    prepare: ({ folder }) => writeFile(join(folder, 'StartNeo4j.java'), program),
    isReady: ({ folder }) => access(join(folder, 'ready')),
    args: ({ folder, port }) => [
      '-Xmx512m',
      '-cp',
      classPath,
      join(folder, 'StartNeo4j.java'),
      folder,
      String(port),
    ],
  });

const program = `
import java.nio.file.Files;
import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

public class StartNeo4j {
  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]);
    var address = new SocketAddress("127.0.0.1", Integer.parseInt(args[1]));
    var service = new DatabaseManagementServiceBuilder(folder.resolve("home"))
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, address)
        .setConfig(BoltConnector.advertised_address, address)
        .setConfig(GraphDatabaseSettings.auth_enabled, true)
        .setConfig(GraphDatabaseSettings.pagecache_memory, 67108864L)
        .build();
    service.database("system").executeTransactionally(
        "ALTER USER neo4j SET PASSWORD 'correct horse' CHANGE NOT REQUIRED");
    Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
    Files.createFile(folder.resolve("ready"));
  }
}
`;
