import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../openStore.ts';
import { anExecution, insert, temporaryFolder } from '../suite/index.ts';
import { findWalDamage } from './findWalDamage.ts';
import { openForWriting } from './openForWriting.ts';

const frameBytes = 24 + 8_192;
const endings = ['', '-wal', '-shm'];

function aFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

/** Copies the three files in the state that a process killed now would leave. */
function crash(folder: string): string {
  const left = join(aFolder(), 'millrace.db');
  for (const ending of endings) copyFileSync(join(folder, `millrace.db${ending}`), left + ending);
  return left;
}

/** A database of one table after a crash: every commit is a frame of the log. */
function aCrashed(commits: number, last = ''): string {
  const folder = aFolder();
  const database = openForWriting(join(folder, 'millrace.db'));
  database.exec('CREATE TABLE t (text TEXT)');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (let i = 0; i < commits; i++) database.exec(`INSERT INTO t VALUES ('${i}')`);
  if (last !== '') database.exec(last);
  const left = crash(folder);
  database.close();
  return left;
}

/** Changes one byte in a frame of the log, counted from 1. */
function spoil(database: string, frame: number): void {
  const bytes = readFileSync(`${database}-wal`);
  const at = 32 + (frame - 1) * frameBytes + 100;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(`${database}-wal`, bytes);
}

const withoutIndex = (database: string) => rmSync(`${database}-shm`);

describe('findWalDamage', () => {
  it('finds nothing in the log of a process that was killed', () => {
    const database = aCrashed(10);
    expect(findWalDamage(database)).toBeUndefined();
    withoutIndex(database);
    expect(findWalDamage(database)).toBeUndefined();
  });

  it('finds nothing when the process was killed in the middle of a transaction', () => {
    const rows = Array.from({ length: 200 }, () => `INSERT INTO t VALUES ('${'x'.repeat(8_000)}');`).join('');
    const database = aCrashed(3, `PRAGMA cache_size = 1; BEGIN; ${rows}`);
    expect(readFileSync(`${database}-wal`).length).toBeGreaterThan(32 + 10 * frameBytes);
    expect(findWalDamage(database)).toBeUndefined();
    withoutIndex(database);
    expect(findWalDamage(database)).toBeUndefined();
  });

  const lost = (readable: number, mayBeUnfinished = false) => ({
    frames: 10,
    unreadableFrames: 10 - readable,
    unreadableBytes: (10 - readable) * frameBytes,
    mayBeUnfinished,
  });
  const damages: [string, (database: string) => void, ReturnType<typeof lost> | undefined][] = [
    ['a changed byte', (database) => spoil(database, 4), lost(3)],
    ['a changed byte in the last commit', (database) => spoil(database, 10), lost(9)],
    ['a cut end', (database) => truncateSync(`${database}-wal`, 32 + 6 * frameBytes + 50), lost(6)],
    ['a missing file', (database) => rmSync(`${database}-wal`), lost(0)],
    ['an empty file', (database) => truncateSync(`${database}-wal`, 0), lost(0)],
    [
      'a header that is gone',
      (database) => {
        const bytes = readFileSync(`${database}-wal`);
        writeFileSync(`${database}-wal`, bytes.fill(0, 0, 32));
      },
      lost(0),
    ],
    [
      'a changed byte, without the index',
      (database) => {
        spoil(database, 4);
        withoutIndex(database);
      },
      lost(3),
    ],
    [
      'a last commit that a power failure may have interrupted',
      (database) => {
        spoil(database, 10);
        withoutIndex(database);
      },
      lost(9, true),
    ],
  ];

  it.each(damages)('counts the frames lost by %s', (_, damage, expected) => {
    const database = aCrashed(10);
    damage(database);
    expect(findWalDamage(database)).toEqual(expected);
  });

  it('does not report frames that are in the database file already', () => {
    const folder = aFolder();
    const database = openForWriting(join(folder, 'millrace.db'));
    database.exec('CREATE TABLE t (text TEXT)');
    for (let i = 0; i < 10; i++) database.exec(`INSERT INTO t VALUES ('${i}')`);
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    const left = crash(folder);
    database.close();
    rmSync(`${left}-wal`);
    expect(findWalDamage(left)).toBeUndefined();
  });
});

describe('a store whose log is damaged', () => {
  it('opens with what can be read, says what is lost and keeps a copy of the log', async () => {
    const folder = aFolder();
    const store = await openStore({ kind: 'sqlite', folder });
    const executions = Array.from({ length: 20 }, () => anExecution());
    for (const execution of executions) await store.commit([insert(execution)]);
    const left = crash(folder);
    await store.close();
    const frames = (readFileSync(`${left}-wal`).length - 32) / frameBytes;
    spoil(left, frames - 5);
    const messages: string[] = [];
    const data = join(left, '..');
    const config = { kind: 'sqlite', folder: data } as const;
    const opened = await openStore(config, { onDamage: (message) => messages.push(message) });
    const found = await opened.listExecutions({ filters: [], page: 1, size: 100 });
    expect(found.total).toBeLessThan(20);
    expect(found.total).toBeGreaterThan(0);
    await opened.commit([insert(anExecution())]);
    // The damaged log is gone, so another crash does not reveal it again.
    expect(findWalDamage(crash(data))).toBeUndefined();
    await opened.close();
    expect(messages).toEqual([
      expect.stringMatching(
        /^The write-ahead log millrace\.db-wal is damaged or missing: \d+ of \d+ committed frames \(\d+ bytes\) cannot be read, so the latest changes are lost\. .*"(.*damaged-.*)"\.$/,
      ),
    ]);
    expect(readdirSync(data).filter((name) => name.includes('damaged'))).toHaveLength(1);
    // The next start has nothing to report.
    await (await openStore(config, { onDamage: (message) => messages.push(message) })).close();
    expect(messages).toHaveLength(1);
  });

  it('is refused when the database was emptied, but a new one is made', async () => {
    const folder = aFolder();
    const config = { kind: 'sqlite', folder } as const;
    writeFileSync(join(folder, 'millrace.db'), '');
    mkdirSync(join(folder, 'work'));
    await expect(openStore(config)).rejects.toThrow(/cannot be read \(it is empty; delete it to start/);
    rmSync(join(folder, 'work'), { recursive: true });
    await (await openStore(config)).close();
    expect(existsSync(join(folder, 'millrace.db'))).toBe(true);
  });
});
