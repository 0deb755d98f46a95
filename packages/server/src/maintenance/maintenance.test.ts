import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { lockRemoval } from '@millrace/store';
import { alterSqlite, temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../cli/commands/index.ts';
import { readCommandLine } from '../cli/readCommandLine.ts';
import { executionFolder } from '../files/internalStorage.ts';
import { newId } from '../newId.ts';
import { aFlow } from '../testing/aFlow.ts';
import { aServer, stateOf, type TestServer } from '../testing/aServer.ts';
import { aTerminal } from '../testing/aTerminal.ts';
import { databases, sqlite } from '../testing/databases.ts';
import { openDoor } from '../testing/testTasks.ts';
import type { CheckParts } from './checks/check.ts';
import { copyFiles } from './copyFiles.ts';
import { examine } from './doctor.ts';

const flow = { namespace: 'company.team', flowId: 'kept' };

/** Runs a command line and returns its output and exit code. */
async function millrace(...argv: string[]) {
  const line = readCommandLine(argv, commands);
  if (line.kind !== 'run') throw new Error('Not a command.');
  let text = '';
  const out = {
    write: (more: string) => {
      text += more;
    },
    isTerminal: false,
  };
  const code = await line.command.run(line, { env: {}, out, err: out });
  return { code, text };
}

function aFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** A server under load, backed up while it runs. */
async function aBackup() {
  const server = await aServer(sqlite);
  await server.saveFlow(aFlow('kept'));
  const runs = await Promise.all(Array.from({ length: 5 }, () => server.run('kept')));
  const [first] = runs;
  const uri = await server.product.files.put(
    [...executionFolder({ ...flow, executionId: first?.id ?? '' }), 'report.txt'],
    'all of it',
  );
  await server.saveFlow(aFlow('asking', 'tasks:\n  - id: ask\n    type: core.flow.Pause\n'));
  const { id: pausedId } = await server.start('asking');
  await server.waitForState(pausedId, 'PAUSED');
  const target = join(aFolder(), 'copy');
  const going = Array.from({ length: 5 }, () => server.run('kept'));
  const { text } = await millrace('backup', target, '--data', server.product.config.data);
  await Promise.all(going);
  return { server, target, text, firstId: first?.id ?? '', pausedId, uri };
}

describe('backup and restore', () => {
  it('bring back everything that was there, from a server that continued to work, and the copy continues too', async () => {
    const { target, text, firstId, pausedId, uri } = await aBackup();
    expect(text).toContain(`${target}: `);
    const data = join(aFolder(), 'data');
    await millrace('restore', target, '--data', data);
    const restored = await aServer(sqlite, { settings: { data } });
    const found = await restored.product.store.listExecutions({ filters: [], page: 1, size: 100 });
    expect(found.total).toBeGreaterThanOrEqual(5);
    expect(found.total).toBe(JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8')).executions);
    expect(stateOf(await restored.read(firstId))).toBe('SUCCESS');
    // The restored server resumes open executions and accepts new ones.
    await restored.call('POST', `/executions/${pausedId}/resume`);
    await restored.waitForState(pausedId, 'SUCCESS');
    expect(stateOf(await restored.run('kept'))).toBe('SUCCESS');
    expect(readFileSync(join(data, 'storage', uri.slice('millrace:///'.length)), 'utf8')).toBe('all of it');
    expect(existsSync(join(data, 'backup.json'))).toBe(false);
  });

  it('[A42] and retention keep out of each other’s way: nothing goes while a copy is made, nor soon after it is brought back', async () => {
    const [keep, day] = [{ retention: { keep: 'P1D', afterRestore: 'P7D' } }, 86_400_000];
    let now = Date.now();
    const server = await aServer(sqlite, { settings: keep, clock: () => now });
    await server.saveFlow(aFlow('kept'));
    const { id } = await server.run('kept');
    const uri = await server.product.files.put(
      [...executionFolder({ ...flow, executionId: id }), 'report.txt'],
      'all of it',
    );
    now += 2 * day;
    const { data } = server.product.config;
    const copying = lockRemoval(data);
    expect(await server.product.janitor.runRound()).toMatchObject({ executions: 0 });
    copying?.unlock();
    const target = join(aFolder(), 'copy');
    await millrace('backup', target, '--data', data);
    expect(await server.product.janitor.runRound()).toMatchObject({ executions: 1 });

    const restored = join(aFolder(), 'data');
    await millrace('restore', target, '--data', restored);
    const second = await aServer(sqlite, { settings: { ...keep, data: restored }, clock: () => now });
    const { janitor, store, files } = second.product;
    now = Date.now() + 6 * day;
    expect(await janitor.runRound()).toMatchObject({ executions: 0 });
    expect([(await store.getExecution(id))?.execution.id, await files.sizeOf(uri)]).toEqual([id, 9]);
    now += 2 * day;
    expect(await janitor.runRound()).toMatchObject({ executions: 1 });
  });

  it('[A33] hold no secret in plain text, and give none away to a server with another key', async () => {
    const key = (fill: number) => ({ encryption: { secretKey: Buffer.alloc(32, fill).toString('base64') } });
    const env = { SECRET_DOOR: Buffer.from('hidden-value').toString('base64') };
    const server = await aServer(sqlite, { settings: key(1), env });
    const say =
      '  - { id: say, type: core.debug.Return, format: "{{ inputs.token }} {{ secret(\'DOOR\') }}" }\n';
    const tasks = `tasks:\n  - { id: ask, type: core.flow.Pause }\n${say}`;
    await server.saveFlow(aFlow('sealed', `inputs:\n  - { id: token, type: SECRET }\n${tasks}`));
    const { id } = await server.start('sealed', { token: 'open-sesame' });
    await server.waitForState(id, 'PAUSED');
    const target = join(aFolder(), 'copy');
    await millrace('backup', target, '--data', server.product.config.data);
    const database = readFileSync(join(target, 'millrace.db')).toString('latin1');
    expect(database).toContain(id);
    expect(database).not.toMatch(/open-sesame|hidden-value|b3Blbi1zZXNhbWU|aGlkZGVuLXZhbHVl/);
    const data = join(aFolder(), 'data');
    await millrace('restore', target, '--data', data);
    const other = await aServer(sqlite, { settings: { ...key(2), data } });
    expect((await other.call('POST', `/executions/${id}/resume`)).status).toBe(204);
    const failed = await other.waitForState(id, 'FAILED', 'SUCCESS');
    expect(stateOf(failed)).toBe('FAILED');
    const { body: logs } = await other.call('GET', `/logs/${id}?minLevel=ERROR`);
    expect(JSON.stringify(logs)).toContain('cannot be opened: it was covered with another encryption key');
    expect(JSON.stringify([failed, logs])).not.toMatch(/open-sesame|hidden-value/);
  }, 180_000);

  it('show a person how far they are, and tell a script what they did', async () => {
    const server = await aServer(sqlite);
    const place = [...executionFolder({ ...flow, executionId: 'x' })];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await server.product.files.put([...place, name], name);
    const [target, data] = [join(aFolder(), 'copy'), join(aFolder(), 'data')];
    const person = aTerminal({}, true);
    const made = await person('backup', target, '--data', server.product.config.data, '-o', 'json');
    expect(made.err).toMatch(/\] [34]\/[34] /);
    const { folder, files } = JSON.parse(made.out);
    expect([folder, files >= 3]).toEqual([target, true]);
    const back = await person('restore', target, '--data', data, '--output', 'json');
    expect(back.err).toContain(`/${files} `);
    expect(JSON.parse(back.out)).toMatchObject({ data, files });
    const examined = await aTerminal()('doctor', '--data', data, '--output', 'json');
    expect([examined.code, Array.isArray(JSON.parse(examined.out))]).toEqual([0, true]);
  });

  it('never overwrite: a folder with something in it is refused, or put aside when forced', async () => {
    const { server, target } = await aBackup();
    await expect(millrace('backup', target, '--data', server.product.config.data)).rejects.toThrow('exists');
    const { data: own } = server.product.config;
    for (const inside of [join(own, 'copy'), join(own, 'new', 'copy')])
      await expect(millrace('backup', inside, '--data', own)).rejects.toThrow(`is inside "${own}"`);
    const data = join(aFolder(), 'data');
    mkdirSync(data);
    writeFileSync(join(data, 'mine.txt'), 'mine');
    await expect(millrace('restore', target, '--data', data)).rejects.toThrow('is not empty; --force');
    const { text } = await millrace('restore', target, '--data', data, '--force');
    const aside = /is in (.*)\.\n/.exec(text)?.[1] ?? '';
    expect(readFileSync(join(aside, 'mine.txt'), 'utf8')).toBe('mine');
    // A folder that a server works on is refused even so.
    const inUse = millrace('restore', target, '--data', server.product.config.data, '--force');
    await expect(inUse).rejects.toThrow('is in use by another running server');
  });

  it('[A46] refuse what is damaged, incomplete, of a newer release, or no backup at all', async () => {
    const { target, uri } = await aBackup();
    const data = join(aFolder(), 'data');
    const restored = () => millrace('restore', target, '--data', data);
    await expect(millrace('restore', aFolder(), '--data', data)).rejects.toThrow('is not a backup');
    const manifest = readFileSync(join(target, 'backup.json'), 'utf8');
    rmSync(join(target, 'storage', uri.slice('millrace:///'.length)));
    await expect(restored()).rejects.toThrow('is not what was written');
    alterSqlite(target, ['INSERT INTO schema_version (version, applied_at) VALUES (99, 0)']);
    await expect(restored()).rejects.toThrow(
      'has schema 99, but this release of Millrace knows schemas up to',
    );
    truncateSync(join(target, 'millrace.db'), 40_000);
    await expect(restored()).rejects.toThrow(/is damaged|cannot be read/);
    writeFileSync(join(target, 'backup.json'), manifest.replace('"format": 1', '"format": 2'));
    await expect(restored()).rejects.toThrow('cannot be understood');
    expect(existsSync(data)).toBe(false);
  });
});

describe('backup of PostgreSQL', () => {
  it('says which tool to use', async () => {
    const file = join(aFolder(), 'config.yml');
    writeFileSync(file, 'database: { url: postgres://localhost/x }');
    await expect(millrace('backup', 'x', '-c', file)).rejects.toThrow('pg_dump');
  });
});

describe.each(databases)('doctor on $name', (database) => {
  const examine = async (data: string, url?: string) => {
    const file = join(aFolder(), 'config.yml');
    writeFileSync(
      file,
      `server: { port: 0, managementPort: 0 }\n${url === undefined ? '' : `database: { url: "${url}" }\n`}`,
    );
    const { code, text } = await millrace('doctor', '--output', 'json', '--data', data, '-c', file);
    return { code, findings: JSON.parse(text) as { check: string; status: string; message: string }[] };
  };

  it('finds nothing wrong with a server that works, and folders that no execution owns', async () => {
    const server = await aServer(database);
    const { config, files } = server.product;
    await server.saveFlow(aFlow('kept'));
    const { id } = await server.run('kept');
    await files.put([...executionFolder({ ...flow, executionId: id }), 'a.txt'], 'a');
    const healthy = await examine(config.data, config.database.url);
    expect(healthy.findings.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(healthy.code).toBe(0);
    await files.put([...executionFolder({ ...flow, executionId: newId() }), 'b.txt'], 'b');
    // A namespace called like the folder of executions, and files of a namespace, are no such folders.
    const odd = { namespace: 'company.executions', flowId: 'kept', executionId: id };
    await files.put([...executionFolder(odd), 'c.txt'], 'c');
    await files.put(['company', 'team', '_files', 'executions', newId(), 'd.txt'], 'd');
    const { findings, code } = await examine(config.data, config.database.url);
    const about = findings.find(({ check }) => check === 'files');
    expect(about).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('1 folders of files'),
    });
    expect(code).toBe(0);
  });

  it('fails when the database cannot be read', async () => {
    const server = await aServer(database);
    const { config, store } = server.product;
    const { url } = config.database;
    await store.close();
    const text = 'this is not a database at all, it is a text file\n';
    if (url === undefined) {
      for (const end of ['-wal', '-shm']) rmSync(join(config.data, `millrace.db${end}`), { force: true });
      writeFileSync(join(config.data, 'millrace.db'), text.repeat(200));
    }
    const { findings, code } = await examine(config.data, url === undefined ? undefined : `${url}_gone`);
    expect(findings.filter(({ check }) => check === 'database')).toMatchObject([{ status: 'failed' }]);
    expect(code).toBe(1);
  });
});

describe('doctor, of what is wrong', () => {
  const day = 86_400_000;
  const damages: [string, string, string, (server: TestServer) => Promise<Partial<CheckParts>>][] = [
    [
      'a clock that was set back',
      'clock',
      'warning',
      async (server) => {
        await server.saveFlow(aFlow('kept'));
        await server.run('kept');
        return { now: Date.now() - day };
      },
    ],
    [
      'executions that do not end',
      'executions',
      'warning',
      async (server) => {
        await server.saveFlow(aFlow('endless', 'tasks:\n  - id: x\n    type: test.Door\n    door: stuck\n'));
        onTestFinished(() => openDoor('stuck'));
        await server.start('endless');
        return { now: Date.now() + 2 * day };
      },
    ],
    [
      'a data folder that others can read',
      'data folder',
      'warning',
      async ({ product: { config } }) => {
        chmodSync(config.data, 0o755);
        return {};
      },
    ],
    [
      'a data folder that is a file',
      'data folder',
      'failed',
      async ({ product: { config } }) => ({ config: { ...config, data: join(config.data, 'millrace.db') } }),
    ],
    [
      'rows that cannot be read',
      'documents',
      'warning',
      async (server) => {
        await server.saveFlow(
          aFlow('kept', 'triggers:\n  - id: daily\n    type: core.trigger.Schedule\n    cron: "0 0 1 1 *"\n'),
        );
        const { config } = server.product;
        await server.product.store.close();
        alterSqlite(config.data, [`UPDATE triggers SET data = '{"broken'`]);
        return {};
      },
    ],
    [
      'a database of a newer release',
      'database',
      'failed',
      async (server) => {
        const { config } = server.product;
        await server.product.store.close();
        alterSqlite(config.data, ['INSERT INTO schema_version (version, applied_at) VALUES (999, 0)']);
        return {};
      },
    ],
    [
      'a database of an older development version',
      'database',
      'failed',
      async (server) => {
        const { config } = server.product;
        await server.product.store.close();
        alterSqlite(config.data, ['UPDATE schema_version SET version = 18']);
        return {};
      },
    ],
    [
      'a database that lost a part in the middle',
      'database',
      'failed',
      async (server) => {
        const { config } = server.product;
        await server.product.store.close();
        alterSqlite(config.data, ['PRAGMA wal_checkpoint(TRUNCATE)']);
        const file = join(config.data, 'millrace.db');
        const bytes = readFileSync(file);
        bytes.fill(0xff, 3 * 8192, 12 * 8192);
        writeFileSync(file, bytes);
        return {};
      },
    ],
    [
      'a port that another program has',
      'ports',
      'failed',
      async (server) => {
        const other = createServer().listen(0, '127.0.0.1');
        onTestFinished(() => void other.close());
        await once(other, 'listening');
        const { config } = server.product;
        await server.product.store.close();
        const { port } = other.address() as AddressInfo;
        return { config: { ...config, server: { ...config.server, host: '127.0.0.1', port } } };
      },
    ],
  ];

  it.each(damages)('tells of %s', async (_, check, status, damage) => {
    const server = await aServer(sqlite);
    const { config } = server.product;
    const free = { ...config, server: { ...config.server, port: 0, managementPort: 0 } };
    const found = await examine({ config: free, now: Date.now(), ...(await damage(server)) });
    expect(found.filter((finding) => finding.check === check && finding.status === status)).not.toEqual([]);
  });
});

it('a backup fails when it cannot read a folder, and leaves out what was deleted meanwhile', async () => {
  const [from, to] = [aFolder(), aFolder()];
  writeFileSync(join(from, 'file'), 'text');
  await expect(copyFiles(join(from, 'file'), to)).rejects.toThrow('ENOTDIR');
  expect(await copyFiles(join(from, 'gone'), to)).toEqual({ files: 0, bytes: 0 });
});
