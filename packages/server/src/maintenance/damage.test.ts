import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createFullCatalogue } from '@millrace/plugins/testing';
import { alterSqlite, temporaryFolder } from '@millrace/store/suite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeFailure } from '../cli/describeFailure.ts';
import { loadConfig } from '../config/load.ts';
import { startServer } from '../startServer.ts';
import { aFlow } from '../testing/aFlow.ts';
import { aServer } from '../testing/aServer.ts';
import { aTerminal } from '../testing/aTerminal.ts';
import { sqlite } from '../testing/databases.ts';
import { aSilentLog } from '../testing/silentLog.ts';

function aFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** The data folder of a server with some executions; `crash` copies it as a killed process leaves it. */
async function aDataFolder() {
  const server = await aServer(sqlite);
  await server.saveFlow(aFlow('kept'));
  await Promise.all(Array.from({ length: 10 }, () => server.run('kept')));
  const { data } = server.product.config;
  const crash = () => {
    const left = aFolder();
    mkdirSync(join(left, 'work'));
    for (const end of ['', '-wal', '-shm'])
      copyFileSync(join(data, `millrace.db${end}`), join(left, `millrace.db${end}`));
    return left;
  };
  return { server, data, crash };
}

/** Starts a server on the folder; returns what it logged, or the message it failed with. */
async function start(data: string) {
  const errors: string[] = [];
  const { config } = loadConfig({
    env: {},
    flags: { data, server: { port: 0, managementPort: 0, graceMs: 0 } },
  });
  const log = { ...aSilentLog(), error: (message: string) => errors.push(message) };
  const options = { config, env: {}, catalogue: createFullCatalogue(), log, webFolder: '' };
  try {
    const server = await startServer(options);
    await server.close();
    return { errors };
  } catch (error) {
    return { errors, failure: describeFailure(error) };
  }
}

const doctor = (data: string, ...more: string[]) =>
  aTerminal()('doctor', '--data', data, '--port', '0', '--management-port', '0', ...more);

describe('a damaged write-ahead log', () => {
  it('is reported by doctor, backup and the start, with the backup that brings the data back', async () => {
    const { data, crash } = await aDataFolder();
    const backup = join(aFolder(), 'copy');
    expect((await aTerminal()('backup', backup, '--data', data)).err).toBe('');
    const left = crash();
    copyFileSync(join(data, 'last-backup.json'), join(left, 'last-backup.json'));
    truncateSync(join(left, 'millrace.db-wal'), statSync(join(left, 'millrace.db-wal')).size - 20_000);
    const spoiled = () => {
      const folder = aFolder();
      for (const end of ['', '-wal', '-shm'])
        copyFileSync(join(left, `millrace.db${end}`), join(folder, `millrace.db${end}`));
      copyFileSync(join(left, 'last-backup.json'), join(folder, 'last-backup.json'));
      return folder;
    };
    const found = /is damaged or missing: \d+ of \d+ committed frames \(\d+ bytes\) cannot be read/;
    const [examined, copied, started] = [spoiled(), spoiled(), spoiled()];
    const report = await doctor(examined);
    expect(report.code).toBe(1);
    expect(report.out).toMatch(new RegExp(`✗ write-ahead log: .*${found.source}`));
    expect(report.out).toContain(`millrace restore "${backup}" --data "${examined}" --force`);
    expect((await aTerminal()('backup', join(aFolder(), 'c'), '--data', copied)).err).toMatch(found);
    const { errors, failure } = await start(started);
    expect(failure).toBeUndefined();
    expect(errors).toEqual([expect.stringMatching(found)]);
    expect(errors[0]).toContain(`The latest backup is "${backup}"`);
  });

  it('is no topic while a server writes, nor after it was killed', async () => {
    const { data, crash } = await aDataFolder();
    expect((await doctor(data)).out).toContain('write-ahead log: In use by a running server');
    const left = crash();
    expect((await doctor(left)).out).toContain('write-ahead log: Nothing that was committed is missing.');
    expect(await start(left)).toEqual({ errors: [] });
  });
});

describe('a database that cannot be read', () => {
  const damages: [string, (file: string) => void][] = [
    ['cut short', (file) => truncateSync(file, 40_000)],
    ['emptied', (file) => truncateSync(file, 0)],
    ['overwritten', (file) => writeFileSync(file, 'no database at all\n'.repeat(1_000))],
    [
      'spoiled in the middle',
      (file) => {
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xff, 2 * 8_192));
      },
    ],
  ];

  it.each(damages)('(%s) gets advice in one message', async (_, damage) => {
    const { server, data } = await aDataFolder();
    await server.close();
    alterSqlite(data, ['PRAGMA wal_checkpoint(TRUNCATE)']);
    damage(join(data, 'millrace.db'));
    const { failure } = await start(data);
    expect(failure).toMatch(
      /^The database .*(cannot be read|is damaged) \(.*\)\. Check it with: millrace doctor/,
    );
    expect(failure).toContain('No backup of this folder is known.');
    expect(failure).not.toMatch(/\n|at .*\.ts/);
    const report = await doctor(data);
    expect(report.code).toBe(1);
    expect(report.out).toContain(`millrace restore BACKUP --data "${data}" --force`);
    expect(report.out).not.toMatch(/Could not be looked at/);
  });
});

it('doctor checks the ports that it is given, not the default ones', async () => {
  const data = aFolder();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  const taken = await aTerminal()('doctor', '--data', data, '--port', port, '--management-port', '0');
  expect(taken.code).toBe(1);
  expect(taken.out).toContain(`✗ ports: The port ${port} on 127.0.0.1 is in use by another program.`);
  const managed = await aTerminal({ MILLRACE_SERVER_PORT: '0' })(
    ...['doctor', '--data', data, '--management-port', port],
  );
  expect(managed.out).toContain(`✗ ports: The management port ${port} on 127.0.0.1 is in use`);
  expect(managed.out).not.toMatch(/8080|8081/);
});
