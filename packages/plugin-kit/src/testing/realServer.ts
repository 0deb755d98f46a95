import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerProgram {
  /** The program, on the search path or as a full path. */
  readonly program: string;
  readonly args: (place: ServerPlace) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs before the program starts: writes its configuration, creates its database. */
  readonly prepare?: (place: ServerPlace) => Promise<void> | void;
  /** Throws while the server is not ready; by default the server is ready when it accepts a connection. */
  readonly isReady?: (place: ServerPlace) => Promise<void>;
  readonly startWithinMs?: number;
}

export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  /** An empty folder for data and configuration, removed at the end. */
  readonly folder: string;
}

export interface RunningServer extends ServerPlace {
  /** The output of the program so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a real server on a free port for tests; the caller stops it, for example in `afterAll`. */
export async function startRealServer(options: ServerProgram): Promise<RunningServer> {
  const { program, args, env = {}, prepare, isReady = accepts, startWithinMs = 60_000 } = options;
  const place = {
    host: '127.0.0.1',
    port: await freePort(),
    folder: await mkdtemp(join(tmpdir(), 'millrace-server-')),
  };
  let printed = '';
  await prepare?.(place);
  const child = spawn(program, [...args(place)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000);
    });
  const server = {
    ...place,
    output: () => printed,
    stop: async () => {
      await end(child);
      await rm(place.folder, { recursive: true, force: true });
    },
  };
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  for (const deadline = Date.now() + startWithinMs; ; await delay(50)) {
    const hasEnded = failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    try {
      if (!hasEnded) {
        await isReady(place);
        return server;
      }
    } catch (error) {
      if (Date.now() < deadline) continue;
      failure = error instanceof Error ? error : new Error(String(error));
    }
    await server.stop();
    throw new Error(`${program} did not start: ${failure?.message ?? 'it ended'}\n${printed}`);
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts({ host, port }: ServerPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const isGone = await Promise.race([ended.then(() => true), delay(5_000, false, { ref: false })]);
  if (!isGone) {
    child.kill('SIGKILL');
    await ended;
  }
}
