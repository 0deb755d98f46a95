import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  freePort,
  type RunningServer,
  realNetwork,
  runType,
  startRealServer,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cassandraFamily } from './index.ts';
import { anAstraService } from './testing/astraService.ts';

/** The class path of Apache Cassandra. */
const jars = process.env.MILLRACE_TEST_CASSANDRA;

describe.skipIf(jars === undefined)('Apache Cassandra', { timeout: 120_000 }, () => {
  let server: RunningServer;
  const aContext = () => aTaskContext(realNetwork());
  const login = { username: 'cassandra', password: 'cassandra' };
  const run = (input: object, context: TestContext = aContext(), name = 'standard') =>
    runType(
      // `as`: the name of a task.
      cassandraFamily.types.find(({ type }) => type === `cassandra.${name}.Query`) as TaskDefinition,
      {
        session: { endpoints: [{ hostname: server.host, port: server.port }], ...login },
        fetchType: 'FETCH',
        ...input,
      },
      context,
    );

  beforeAll(async () => {
    server = await startCassandra(jars ?? '');
  }, 420_000);
  afterAll(() => server?.stop(), 60_000);

  /** The first user is created after the server accepts connections. */
  const createKeyspace = () => {
    const replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}";
    const cql = `CREATE KEYSPACE IF NOT EXISTS shop WITH replication = ${replication}`;
    return expect.poll(() => run({ cql }), { timeout: 100_000, interval: 1_000 }).toMatchObject({ size: 0 });
  };

  test('every type of a column becomes a value of flows', async () => {
    await createKeyspace();
    await run({ cql: 'CREATE TYPE shop.address (street text, zip int)' });
    await run({
      cql: `CREATE TABLE shop.kinds (id uuid PRIMARY KEY, a ascii, b bigint, c blob, d boolean, e date, f decimal,
        g double, h duration, i inet, j int, k list<int>, l map<text, int>, m set<text>, n smallint, o text, p time,
        q timestamp, r timeuuid, s tinyint, t tuple<int, text>, u frozen<shop.address>, v varint, w float,
        x vector<float, 2>)`,
    });
    await run({
      cql: `INSERT INTO shop.kinds (id, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
        VALUES (5132b130-ae79-11e4-ab27-0800200c9a66, 'a', 9007199254740993, 0x6869, true, '2026-01-31', 1.50, 2.0,
        1mo2d, '127.0.0.1', 1, [1, 2], {'a': 1}, {'x', 'y'}, 2, 'text', '10:20:30', '2026-01-31T10:20:30.500Z',
        5132b130-ae79-11e4-ab27-0800200c9a66, 3, (1, 'b'), {street: 'Main', zip: 8000}, 123456789012345678901, 0.5,
        [1.5, 2.5])`,
    });
    const { rows } = await run({ cql: 'SELECT * FROM shop.kinds' });
    expect(rows).toEqual([
      {
        id: '5132b130-ae79-11e4-ab27-0800200c9a66',
        a: 'a',
        b: '9007199254740993',
        c: 'aGk=',
        d: true,
        e: '2026-01-31',
        f: '1.50',
        g: 2,
        h: '1mo2d',
        i: '127.0.0.1',
        j: 1,
        k: [1, 2],
        l: { a: 1 },
        m: ['x', 'y'],
        n: 2,
        o: 'text',
        p: '10:20:30',
        q: '2026-01-31T10:20:30.500Z',
        r: '5132b130-ae79-11e4-ab27-0800200c9a66',
        s: 3,
        t: [1, 'b'],
        u: { street: 'Main', zip: 8000 },
        v: '123456789012345678901',
        w: 0.5,
        x: [1.5, 2.5],
      },
    ]);
  });

  test('results of many pages are stored', async () => {
    await createKeyspace();
    await run({ cql: 'CREATE TABLE shop.many (p int, n int, PRIMARY KEY (p, n))' });
    for (let from = 0; from < 5_000; from += 500) {
      const inserts = Array.from(
        { length: 500 },
        (_, n) => `INSERT INTO shop.many (p, n) VALUES (0, ${from + n});`,
      );
      await run({ cql: `BEGIN UNLOGGED BATCH ${inserts.join(' ')} APPLY BATCH` });
    }
    const context = aContext();
    const stored = await run({ cql: 'SELECT n FROM shop.many WHERE p = 0', fetchType: 'STORE' }, context);
    expect(stored.size).toBe(5_000);
    const lines = (await context.files.text(String(stored.uri))).trim().split('\n');
    expect(lines.at(-1)).toBe('{"n":4999}');
  });

  test('the emulated proxy of Astra DB leads to the real server', async () => {
    await createKeyspace();
    await run({ cql: 'CREATE TABLE shop.empty (id int PRIMARY KEY)' });
    const { bundle } = await anAstraService(server);
    const session = {
      secureBundle: bundle,
      keyspace: 'shop',
      clientId: login.username,
      clientSecret: login.password,
    };
    const found = await run({ session, cql: 'SELECT count(*) AS n FROM empty' }, aContext(), 'astradb');
    expect(found.rows).toEqual([{ n: 0 }]);
  });

  test('wrong credentials, a wrong statement and a missing table are named', async () => {
    await createKeyspace();
    const session = { endpoints: [{ hostname: server.host, port: server.port }] };
    await expect(
      run({ session: { ...session, ...login, password: 'wrong' }, cql: 'SELECT 1' }),
    ).rejects.toThrow('username cassandra and/or password are incorrect');
    await expect(run({ session, cql: 'SELECT 1' })).rejects.toThrow('requires authentication');
    await expect(run({ cql: 'SELCT 1' })).rejects.toThrow("no viable alternative at input 'SELCT'");
    await expect(run({ cql: 'SELECT * FROM shop.nothing' })).rejects.toThrow('table nothing does not exist');
  });
});

/** The modules that the start script of Cassandra opens to it. */
const exportsOf = [
  'java.base/jdk.internal.misc',
  'java.base/jdk.internal.ref',
  'java.base/sun.nio.ch',
  'java.base/java.lang.ref',
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  'java.rmi/sun.rmi.registry',
  'java.rmi/sun.rmi.server',
  'java.sql/java.sql',
  'jdk.unsupported/sun.misc',
];
const opensOf = [
  'java.base/java.io',
  'java.base/java.lang',
  'java.base/java.lang.module',
  'java.base/java.lang.reflect',
  'java.base/java.nio',
  'java.base/java.util',
  'java.base/java.util.concurrent',
  'java.base/java.util.concurrent.atomic',
  'java.base/jdk.internal.loader',
  'java.base/jdk.internal.math',
  'java.base/jdk.internal.module',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.reflect',
  'java.base/jdk.internal.util.jar',
  'java.base/sun.nio.ch',
  'java.rmi/sun.rmi.transport.tcp',
  'jdk.management/com.sun.management.internal',
];

async function startCassandra(classPath: string): Promise<RunningServer> {
  const storagePort = await freePort();
  return startRealServer({
    program: 'java',
    startWithinMs: 300_000,
    prepare: ({ folder, host, port }) => {
      const settings = {
        cluster_name: 'test',
        num_tokens: 1,
        partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
        authenticator: 'PasswordAuthenticator',
        role_manager: 'CassandraRoleManager',
        commitlog_sync: 'periodic',
        commitlog_sync_period: '10000ms',
        commitlog_directory: join(folder, 'commitlog'),
        data_file_directories: [join(folder, 'data')],
        saved_caches_directory: join(folder, 'caches'),
        hints_directory: join(folder, 'hints'),
        cdc_raw_directory: join(folder, 'cdc'),
        endpoint_snitch: 'SimpleSnitch',
        seed_provider: [
          {
            class_name: 'org.apache.cassandra.locator.SimpleSeedProvider',
            parameters: [{ seeds: `${host}:${storagePort}` }],
          },
        ],
        listen_address: host,
        storage_port: storagePort,
        rpc_address: host,
        native_transport_port: port,
        start_native_transport: true,
      };
      // YAML reads JSON.
      return writeFile(join(folder, 'cassandra.yaml'), JSON.stringify(settings));
    },
    args: ({ folder }) => [
      '-Xmx768m',
      '-Xss512k',
      ...exportsOf.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]),
      ...opensOf.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]),
      `-Dcassandra.config=${pathToFileURL(join(folder, 'cassandra.yaml'))}`,
      `-Dcassandra.storagedir=${folder}`,
      '-Dcassandra-foreground=yes',
      '-Dcassandra.ring_delay_ms=1',
      '-Dcassandra.skip_wait_for_gossip_to_settle=0',
      '-Dcassandra.superuser_setup_delay_ms=0',
      '-cp',
      classPath,
      'org.apache.cassandra.service.CassandraDaemon',
    ],
  });
}
