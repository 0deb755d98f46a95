import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './load.ts';

const load = (given: { yaml?: string; env?: Record<string, string>; flags?: Record<string, unknown> }) => {
  const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'config.yml');
  if (given.yaml !== undefined) writeFileSync(file, given.yaml);
  return loadConfig({
    ...(given.yaml === undefined ? {} : { file }),
    env: given.env ?? {},
    flags: given.flags ?? {},
  });
};

describe('loadConfig', () => {
  it('starts from loopback, ports 8080 and 8081, SQLite in ./data', () => {
    expect(load({}).config).toMatchObject({
      server: { host: '127.0.0.1', port: 8080, managementPort: 8081, insecure: false },
      data: './data',
      database: {},
    });
  });

  it('lets the environment win over the file and the command line over both', () => {
    const { config } = load({
      yaml: 'server: { port: 1, managementPort: 1 }\ndata: /file',
      env: { MILLRACE_SERVER_PORT: '2', MILLRACE_SERVER_MANAGEMENT_PORT: '2' },
      flags: { server: { port: 3 } },
    });
    expect(config.server.port).toBe(3);
    expect(config.server.managementPort).toBe(2);
    expect(config.data).toBe('/file');
  });

  it('reads the whole configuration from one variable', () => {
    expect(load({ env: { MILLRACE_CONFIGURATION: 'worker:\n  threads: 3' } }).config.worker.threads).toBe(3);
  });

  it('refuses passwords of fewer than 8 characters', () => {
    const short = { auth: { username: 'ada', password: '1234567' } };
    expect(() => load({ flags: short })).toThrow('auth.password: Password must have at least 8 characters');
    expect(() => load({ flags: { management: short.auth } })).toThrow('management.password: Password must');
    expect(load({ flags: { auth: { username: 'ada', password: '12345678' } } }).config.auth?.realm).toBe(
      'Millrace',
    );
  });

  it('reads flags and lists from text', () => {
    const { server } = load({
      env: { MILLRACE_SERVER_INSECURE: 'true', MILLRACE_SERVER_ALLOWED_HOSTS: 'a.test, b.test' },
    }).config;
    expect(server.insecure).toBe(true);
    expect(server.allowedHosts).toEqual(['a.test', 'b.test']);
  });

  it('names unknown keys of the file', () => {
    expect(() => load({ yaml: 'server: { prot: 1 }\nfoo: 2' })).toThrow(
      /server\.prot is not a known setting; foo is not a known setting/,
    );
  });

  it('warns of unknown environment variables', () => {
    expect(load({ env: { MILLRACE_SERVER_PROT: '1' } }).warnings).toEqual([
      'The environment variable MILLRACE_SERVER_PROT is not a setting of Millrace.',
    ]);
  });

  it.each([
    ['server: { port: 70000 }', /server\.port: must be a port/],
    ['database: { url: mysql://x }', /database\.url: must start with postgres/],
    ['server: { roles: [executor] }', /The role "executor" shares its work .* needs PostgreSQL/],
    ['worker: { group: gpu }', /The worker group "gpu" needs other servers/],
    ['cluster: { heartbeatMs: 5000, deadAfterMs: 6000 }', /at least three times heartbeatMs/],
    ['- a', /must hold a map/],
    ['a: [', /is not valid YAML/],
  ])('explains %s', (yaml, message) => {
    expect(() => load({ yaml })).toThrow(message);
  });

  describe('a configuration of Kestra', () => {
    const kestra = `
datasources:
  postgres:
    url: jdbc:postgresql://db:5432/\${POSTGRES_DB}?currentSchema=x&sslmode=require
    driver-class-name: org.postgresql.Driver
    username: ada
    password: "p@ss:word"
micronaut:
  server: { port: "\${PORT:-9090}" }
kestra:
  server:
    basic-auth: { enabled: true, username: ada@example.com, password: Secret1234 }
    terminationGracePeriod: 6m
  repository: { type: postgres }
  queue: { type: postgres }
  storage: { type: local, local: { base-path: /app/storage } }
  tasks: { tmp-dir: { path: /tmp/wd } }
  url: https://flows.example.com/
  variables: { globals: { my-team: { e-mail: a@b.io } } }
  encryption: { secret-key: "\${KEY:}" }
  plugins:
    defaults: [ { type: x.Y, values: { a: 1 } } ]
    configurations:
      - type: io.kestra.plugin.scripts.runner.docker.Docker
        values: { volume-enabled: true }
`;
    it('is read from a file and from KESTRA_CONFIGURATION, and what has no effect is named', () => {
      const env = { POSTGRES_DB: 'flows' };
      const { config, warnings } = load({ yaml: kestra, env });
      expect(config).toMatchObject({
        server: { port: 9090, graceMs: 360_000 },
        auth: { username: 'ada@example.com', password: 'Secret1234' },
        database: { url: 'postgresql://ada:p%40ss%3Aword@db:5432/flows?sslmode=require' },
        storage: { type: 'local', path: '/app/storage' },
        url: 'https://flows.example.com/',
        variables: { globals: { 'my-team': { 'e-mail': 'a@b.io' } } },
        plugins: {
          configurations: [
            { type: 'io.kestra.plugin.scripts.runner.docker.Docker', values: { volumeEnabled: true } },
          ],
        },
      });
      expect(config.encryption).toBeUndefined();
      expect(warnings).toEqual([
        expect.stringMatching(/: These settings of Kestra have no effect here: kestra\.plugins\.defaults\.$/),
      ]);
      const fromVariable = load({ env: { ...env, KESTRA_CONFIGURATION: kestra, MILLRACE_SERVER_PORT: '1' } });
      expect(fromVariable.config).toMatchObject({ database: config.database, server: { port: 1 } });
    });

    it('keeps files in a bucket of MinIO, and data in SQLite instead of H2', () => {
      const minio = '{ endpoint: minio, port: 9000, secure: false, access-key: a, secret-key: b, bucket: c }';
      const yaml = `datasources: { h2: { url: "jdbc:h2:mem:x" } }\nkestra: { storage: { type: minio, minio: ${minio} } }`;
      const { config, warnings } = load({ yaml });
      expect([config.storage, config.database, warnings]).toMatchObject([
        { type: 's3', endpoint: 'http://minio:9000', bucket: 'c', accessKeyId: 'a', secretAccessKey: 'b' },
        {},
        [],
      ]);
    });

    it.each([
      [`kestra: { url: "\${NOWHERE}" }`, /The environment variable NOWHERE.* is not set/],
      ['kestra: { storage: { type: gcs } }', /kestra\.storage\.type "gcs" has no counterpart/],
      ['datasources: { postgres: { url: "jdbc:mysql://x" } }', /must be such as jdbc:postgresql:/],
    ])('explains %s', (yaml, message) => {
      expect(() => load({ yaml })).toThrow(message);
    });
  });

  it('says that a named file is missing', () => {
    expect(() => loadConfig({ file: '/no/such.yml', env: {}, flags: {} })).toThrow(
      /cannot be read \(ENOENT\)/,
    );
  });
});
