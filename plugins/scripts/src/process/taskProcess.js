import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { frameKinds, toFrame, toJsonFrame } from './frames.js';
import { giveAway } from './giveAway.js';
import { findTagged, tagName, tell } from './strays.js';

/**
 * @typedef {object} SpawnOrder
 * @property {[string, ...string[]]} command
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {number} windowBytes the maximum number of a stream's bytes in flight to the server
 * @property {number} maxStreamBytes
 * @property {number} graceMs
 * @property {{ uid: number, gid: number, home: string }} [user] the user it runs as, if not the server's own
 *
 * @typedef {object} Outside
 * @property {(frame: Buffer[]) => void} send
 * @property {() => void} onGone
 */

const killRounds = 20;
const killRoundMs = 50;

/** @param {Error & { code?: string }} error @param {SpawnOrder} order */
function describe(error, { command, cwd }) {
  if (error.code !== 'ENOENT') return error.message;
  return existsSync(cwd)
    ? `there is no program "${command[0]}" on this machine`
    : `the folder "${cwd}" is gone`;
}

/**
 * One process of a task with its group. It runs, then exits (by itself or killed), then is closed when no
 * process holds its output open; only then the server is notified of its end. Processes of the group that
 * remain at the exit get a signal to end, and are killed after the grace time.
 */
export class TaskProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #isGone = false;
  #isKilling = false;
  /** @type {NodeJS.Timeout[]} */
  #timers = [];
  #streams = [new Flow(), new Flow()];

  /**
   * @param {string} nonce
   * @param {number} id
   * @param {SpawnOrder} order
   * @param {Outside} outside
   */
  constructor(nonce, id, order, outside) {
    this.nonce = nonce;
    this.id = id;
    this.order = order;
    this.outside = outside;
  }

  start() {
    const { command, cwd, env, user } = this.order;
    try {
      if (user) giveAway(cwd, user);
      const child = spawn(command[0], command.slice(1), {
        cwd,
        env: { ...env, [tagName]: `${this.nonce}.${this.id}` },
        ...(user && { uid: user.uid, gid: user.gid }),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      child.on('error', (error) => this.#end({ error: describe(error, this.order) }));
      child.on('exit', () => this.#endRest());
      child.on('close', (exitCode, signal) => this.#end({ exitCode, signal }));
      this.#pump(0, child.stdout, frameKinds.stdout);
      this.#pump(1, child.stderr, frameKinds.stderr);
    } catch (error) {
      // Some failures (a NUL in an argument, an environment that is too large) are thrown at once.
      this.#end({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** @param {number} index @param {import('node:stream').Readable} stream @param {number} kind */
  #pump(index, stream, kind) {
    const flow = /** @type {Flow} */ (this.#streams[index]);
    flow.stream = stream;
    stream.on('data', (/** @type {Buffer} */ chunk) => {
      const room = this.order.maxStreamBytes - flow.sentBytes;
      const kept = chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk;
      flow.droppedBytes += chunk.length - kept.length;
      if (kept.length === 0) return;
      flow.sentBytes += kept.length;
      flow.underwayBytes += kept.length;
      this.outside.send(toFrame(kind, this.id, kept));
      if (flow.underwayBytes >= this.order.windowBytes) stream.pause();
    });
    // A broken stream has no more output; the exit reports how the process ended.
    stream.on('error', () => {});
  }

  /** The server has consumed this many bytes of a stream. @param {number} index @param {number} bytes */
  taken(index, bytes) {
    const flow = this.#streams[index];
    if (!flow) return;
    flow.underwayBytes -= bytes;
    if (flow.underwayBytes < this.order.windowBytes) flow.stream?.resume();
  }

  /** Signals all processes of the task to end and kills them after the grace time. @param {number} graceMs */
  kill(graceMs) {
    if (this.#isKilling || this.#isGone) return;
    this.#isKilling = true;
    this.#signalAll('SIGTERM');
    this.#later(graceMs, () => this.#killHard(killRounds));
  }

  /** Processes may fork while they are being killed, so the search is repeated. @param {number} rounds */
  #killHard(rounds) {
    this.#signalAll('SIGKILL');
    if (rounds > 1) this.#later(killRoundMs, () => this.#killHard(rounds - 1));
    else this.#letGo();
  }

  /** The main process is gone; signals the remaining processes to end, so that they cannot block the task. */
  #endRest() {
    const pid = this.#child?.pid;
    if (pid === undefined || this.#isKilling) return;
    tell(-pid, 'SIGTERM');
    this.#later(this.order.graceMs, () => this.#killHard(killRounds));
  }

  /** An untraceable process holds the output open, so the output so far is treated as complete. */
  #letGo() {
    const isWaiting = this.#streams.some(({ underwayBytes }) => underwayBytes >= this.order.windowBytes);
    if (isWaiting) {
      this.#later(killRoundMs, () => this.#letGo());
      return;
    }
    for (const { stream } of this.#streams) stream?.destroy();
  }

  /** @param {NodeJS.Signals} signal */
  #signalAll(signal) {
    const pid = this.#child?.pid;
    if (pid !== undefined) tell(-pid, signal);
    for (const stray of findTagged(this.nonce)) if (stray.id === this.id) tell(stray.pid, signal);
  }

  /** @param {number} ms @param {() => void} action */
  #later(ms, action) {
    this.#timers.push(setTimeout(() => this.#isGone || action(), ms));
  }

  /** @param {{ exitCode?: number | null, signal?: string | null, error?: string }} how */
  #end(how) {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const [stdout, stderr] = this.#streams.map(({ droppedBytes }) => droppedBytes);
    this.outside.send(toJsonFrame(frameKinds.ended, this.id, { ...how, droppedBytes: { stdout, stderr } }));
    this.outside.onGone();
  }
}

/** The progress of one stream. */
class Flow {
  /** @type {import('node:stream').Readable | undefined} */
  stream;
  sentBytes = 0;
  underwayBytes = 0;
  droppedBytes = 0;
}
