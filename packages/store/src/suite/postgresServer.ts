import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const startWithinMs = 60_000;

export interface PostgresServer {
  readonly url: string;
  /** Contains all files of the server; `stopPostgres` needs nothing else. */
  readonly folder: string;
  /** Kills the server, like a crash, and starts it again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL server with data in the temporary folder. Tests need no durable writes, but benchmarks do:
 * `isDurable` makes every commit wait for the disk.
 */
export async function startPostgres({
  isDurable = false,
  more = [],
}: {
  readonly isDurable?: boolean;
  /** More settings, such as `wal_level=logical`. */
  readonly more?: readonly string[];
} = {}): Promise<PostgresServer> {
  const bin = findPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const user = await serverUser();
  if (user !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const as = { ...user, cwd: folder };
  const initdb = ['-D', data, '--auth=trust', '-N', '-U', 'postgres', '--encoding=UTF8', '--no-locale'];
  await run(join(bin, 'initdb'), initdb, as);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;

  const start = async (): Promise<void> => {
    const settings = [
      // Several test files run at a time, each with the pools of its servers.
      ...(isDurable ? ['fsync=on'] : ['fsync=off', 'full_page_writes=off', 'max_connections=300']),
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      ...more,
    ];
    const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    // Detached: the server outlives the test file that started it.
    spawn(join(bin, 'postgres'), args, { ...as, detached: true, stdio: 'ignore' }).unref();
    await waitUntilReady(url);
  };
  await start();
  return {
    url,
    folder,
    restart: async () => {
      await stopServer(data);
      await start();
    },
    stop: () => stopPostgres(folder),
  };
}

/** Stops a server, whichever process started it, and removes its data. */
export async function stopPostgres(folder: string): Promise<void> {
  await stopServer(join(folder, 'data'));
  rmSync(folder, { recursive: true, force: true });
}

async function stopServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  while (isAlive(pid)) await delay(20);
  rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A zombie process is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return existsSync('/proc') ? existsSync(`/proc/${pid}`) : true;
  }
}

function findPostgres(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = places.find(
    (place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres')),
  );
  if (found === undefined) {
    throw new Error(
      'The PostgreSQL tests need `initdb` and `postgres`, in the PATH or under /usr/lib/postgresql; install the Debian package "postgresql", or set MILLRACE_TEST_POSTGRES_URL.',
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package created. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (cause) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not start in time.', { cause });
      await delay(50);
    }
  }
}
