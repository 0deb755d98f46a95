import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ProcessEnd, SpawnRequest } from '@millrace/plugin-kit';
import { cleanEnvironment } from './cleanEnvironment.ts';
import { createFrameReader, type Frame, frameKinds, toFrame, toJsonFrame } from './frames.js';
import { helperUrl } from './helperUrl.ts';

/** The helper died while the process ran: the process was killed, and its exit status is unknown. */
export class ProcessLost extends Error {
  constructor() {
    super('The process was lost because the helper that ran it ended unexpectedly.');
    this.name = 'ProcessLost';
  }
}

/** The user that processes run as instead of the server's own. */
export interface ProcessUser {
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

export interface ProcessHelperOptions {
  readonly user?: ProcessUser;
  readonly entry?: URL;
  /** The source of PATH, HOME and the like. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly maxStreamBytes?: number;
  readonly graceMs?: number;
  /** Starts the helper's process. */
  readonly startHelper?: typeof spawn;
}

interface Helper {
  readonly child: ChildProcess;
  readonly socket: Socket;
}

interface Running {
  /** The helper that runs the process; when a helper crashes, only its own processes are lost. */
  readonly helper: Helper;
  readonly request: SpawnRequest;
  readonly resolve: (end: ProcessEnd) => void;
  readonly reject: (error: Error) => void;
  /** The pending work of each stream's reader; the process end is reported after it. */
  readonly busy: [Promise<void>, Promise<void>];
}

const windowBytes = 256 * 1024;
const defaultMaxStreamBytes = 1024 * 1024 * 1024;
const defaultGraceMs = 5000;

/**
 * The server's side of the spawn helper. The helper is started with the first process and restarted when it
 * crashes. A process counts as ended when it has exited, its output is closed and all output was consumed.
 */
export class ProcessHelper {
  readonly #options: ProcessHelperOptions;
  /** Tags all processes started here, so that a new helper finds the orphans of a dead one. */
  readonly #nonce = randomUUID();
  readonly #running = new Map<number, Running>();
  #helper: Helper | undefined;
  #lastId = 0;

  constructor(options: ProcessHelperOptions = {}) {
    this.#options = options;
  }

  /** The process id of the helper while it lives. */
  get pid(): number | undefined {
    return this.#helper?.child.pid;
  }

  spawn(request: SpawnRequest): Promise<ProcessEnd> {
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    const helper = this.#start();
    const id = ++this.#lastId;
    const graceMs = request.graceMs ?? this.#options.graceMs ?? defaultGraceMs;
    const kill = () => this.#kill(id, graceMs);
    request.signal?.addEventListener('abort', kill, { once: true });

    return new Promise<ProcessEnd>((resolve, reject) => {
      this.#running.set(id, {
        helper,
        request,
        resolve,
        reject,
        busy: [Promise.resolve(), Promise.resolve()],
      });
      this.#hold();
      const order = {
        command: request.command,
        cwd: request.workingDirectory,
        env: cleanEnvironment(this.#environment(), request.env),
        ...(this.#options.user ? { user: this.#options.user } : {}),
        windowBytes,
        maxStreamBytes: request.maxStreamBytes ?? this.#options.maxStreamBytes ?? defaultMaxStreamBytes,
        graceMs,
      };
      write(helper.socket, toJsonFrame(frameKinds.spawn, id, order));
    }).finally(() => request.signal?.removeEventListener('abort', kill));
  }

  /** The home of the server is closed to another user. */
  #environment(): Readonly<Record<string, string | undefined>> {
    const { environment = process.env, user } = this.#options;
    return user ? { ...environment, HOME: user.home } : environment;
  }

  /** Ends the helper and everything it runs. */
  async close(): Promise<void> {
    const helper = this.#helper;
    if (!helper) return;
    const ended = new Promise<void>((resolve) => helper.child.once('exit', () => resolve()));
    helper.child.ref();
    helper.socket.end();
    await ended;
  }

  #start(): Helper {
    if (this.#helper) return this.#helper;
    const entry = fileURLToPath(this.#options.entry ?? helperUrl());
    const start = this.#options.startHelper ?? spawn;
    const child = start(process.execPath, ['--max-old-space-size=64', entry, this.#nonce], {
      env: cleanEnvironment(this.#options.environment ?? process.env),
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    const socket = child.stdio[3] as Socket; // requested as a pipe above
    const helper = { child, socket };
    this.#helper = helper;
    socket.on(
      'data',
      createFrameReader((frame) => this.#receive(frame)),
    );
    // A broken socket is a dead helper, and the exit reports that.
    socket.on('error', () => child.kill('SIGKILL'));
    child.on('error', () => {
      // Two concurrent helpers would treat each other's processes as orphans and kill them.
      child.kill('SIGKILL');
      this.#lose(helper);
    });
    child.on('exit', () => this.#lose(helper));
    return helper;
  }

  /** A newer helper may have been started since: its processes are not lost. */
  #lose(helper: Helper): void {
    if (this.#helper === helper) this.#helper = undefined;
    for (const [id, running] of this.#running) {
      if (running.helper !== helper) continue;
      this.#running.delete(id);
      running.reject(new ProcessLost());
    }
    this.#hold();
  }

  #kill(id: number, graceMs: number): void {
    const running = this.#running.get(id);
    if (!running) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(graceMs);
    write(running.helper.socket, toFrame(frameKinds.kill, id, payload));
  }

  #receive({ kind, id, payload }: Frame): void {
    const running = this.#running.get(id);
    if (!running) return;
    if (kind === frameKinds.stdout) this.#deliver(id, running, 0, payload);
    else if (kind === frameKinds.stderr) this.#deliver(id, running, 1, payload);
    else if (kind === frameKinds.ended) this.#finish(id, running, JSON.parse(payload.toString('utf8')));
  }

  /** Delivers the chunks of a stream sequentially; the helper may send more as they are consumed. */
  #deliver(id: number, running: Running, stream: 0 | 1, chunk: Buffer): void {
    const { request, busy } = running;
    busy[stream] = busy[stream]
      .then(() => (stream === 0 ? request.onStdout(chunk) : request.onStderr(chunk)))
      .catch((error: unknown) => {
        running.reject(error instanceof Error ? error : new Error(String(error)));
        this.#kill(id, 0);
      })
      .then(() => this.#taken(running.helper, id, stream, chunk.length));
  }

  #taken({ socket }: Helper, id: number, stream: 0 | 1, bytes: number): void {
    if (socket.destroyed) return;
    const payload = Buffer.alloc(5);
    payload.writeUInt8(stream, 0);
    payload.writeUInt32BE(bytes, 1);
    write(socket, toFrame(frameKinds.taken, id, payload));
  }

  #finish(id: number, running: Running, end: Ended): void {
    void Promise.all(running.busy).then(() => {
      this.#running.delete(id);
      this.#hold();
      if (end.error !== undefined)
        running.reject(new Error(`The process could not be started: ${end.error}`));
      else
        running.resolve({
          exitCode: end.exitCode ?? null,
          signal: end.signal ?? null,
          droppedBytes: end.droppedBytes,
        });
    });
  }

  /** An idle helper does not keep the server from ending. */
  #hold(): void {
    if (!this.#helper) return;
    const { child, socket } = this.#helper;
    const isBusy = this.#running.size > 0;
    child[isBusy ? 'ref' : 'unref']();
    socket[isBusy ? 'ref' : 'unref']();
  }
}

interface Ended {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly error?: string;
  readonly droppedBytes: ProcessEnd['droppedBytes'];
}

function write(socket: Socket, frame: readonly Buffer[]): void {
  socket.cork();
  for (const part of frame) socket.write(part);
  process.nextTick(() => socket.uncork());
}
