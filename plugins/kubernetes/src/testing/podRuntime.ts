import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly initContainers?: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
  readonly volumes?: readonly { readonly name: string }[];
}

interface Running {
  readonly spec: ContainerSpec;
  state: Record<string, unknown>;
  process?: ChildProcess;
  /** Lines with their times, as a node keeps them. */
  readonly log: string[];
}

/**
 * The node of a test: containers are processes, and a volume is a folder. Paths of volumes in commands and
 * variables are replaced by the folder, because a process has no separate file system.
 */
export class PodRuntime {
  readonly #folder: string;
  readonly #init: Running[];
  readonly #main: Running[];
  #isStopped = false;
  readonly #changed = new Set<() => void>();

  constructor(folder: string, spec: PodSpec) {
    this.#folder = folder;
    const waiting = (each: ContainerSpec): Running => ({
      spec: each,
      state: { waiting: { reason: 'PodInitializing' } },
      log: [],
    });
    this.#init = (spec.initContainers ?? []).map(waiting);
    this.#main = spec.containers.map(waiting);
    mkdirSync(folder, { recursive: true });
    for (const { name } of spec.volumes ?? []) mkdirSync(join(folder, name), { recursive: true });
  }

  async run(): Promise<void> {
    for (const container of this.#init) if ((await this.#start(container)) !== 0) return;
    await Promise.all(this.#main.map((container) => this.#start(container)));
  }

  stop(): void {
    this.#isStopped = true;
    for (const { process: child } of [...this.#init, ...this.#main]) {
      if (child?.pid !== undefined && child.exitCode === null) killGroup(child.pid);
    }
    this.#notify();
  }

  status(): Record<string, unknown> {
    const view = ({ spec, state }: Running) => ({
      name: spec.name,
      image: spec.image,
      state,
      restartCount: 0,
    });
    const codes = [...this.#init, ...this.#main].map(({ state }) => exitCodeOf(state));
    const isDone = this.#main.every(({ state }) => exitCodeOf(state) !== undefined);
    const hasFailed = codes.some((code) => code !== undefined && code !== 0);
    const isInitFailure = this.#init.some(({ state }) => (exitCodeOf(state) ?? 0) !== 0);
    const phase =
      isDone || isInitFailure
        ? hasFailed
          ? 'Failed'
          : 'Succeeded'
        : this.#main.some(({ state }) => state.running)
          ? 'Running'
          : 'Pending';
    return { phase, initContainerStatuses: this.#init.map(view), containerStatuses: this.#main.map(view) };
  }

  /** The log of a container from a time on, followed until the container ends. */
  async *logs(name: string, since: string | undefined, follow: boolean): AsyncGenerator<string> {
    const container = [...this.#init, ...this.#main].find(({ spec }) => spec.name === name);
    if (!container) return;
    for (let at = 0; ; ) {
      for (; at < container.log.length; at++) {
        const line = container.log[at] ?? '';
        if (since === undefined || line.slice(0, 19) >= since.slice(0, 19)) yield line;
      }
      if (!follow || exitCodeOf(container.state) !== undefined || this.#isStopped) return;
      await new Promise<void>((resolve) => this.#changed.add(resolve));
    }
  }

  canLog(name: string): boolean {
    const container = [...this.#init, ...this.#main].find(({ spec }) => spec.name === name);
    return container !== undefined && container.state.waiting === undefined;
  }

  /** A command in a container that runs. */
  exec(name: string, command: readonly string[]): ChildProcess | undefined {
    const container = [...this.#init, ...this.#main].find(
      ({ spec, state }) => spec.name === name && state.running,
    );
    if (!container) return undefined;
    const [program = 'false', ...args] = command.map((word) => this.#inside(container.spec, word));
    return spawn(program, args, { cwd: this.#folder, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  async #start(container: Running): Promise<number> {
    const { spec } = container;
    if (/[A-Z]/.test(spec.image)) return this.#never(container, 'InvalidImageName');
    if (spec.image.startsWith('missing')) return this.#never(container, 'ImagePullBackOff');
    const inside = (text: string) => this.#inside(spec, text);
    const [program = 'true', ...args] = [...(spec.command ?? []), ...(spec.args ?? [])].map(inside);
    const child = spawn(program, args, {
      cwd: spec.workingDir === undefined ? this.#folder : inside(spec.workingDir),
      env: {
        PATH: process.env.PATH,
        ...Object.fromEntries((spec.env ?? []).map(({ name, value }) => [name, inside(value ?? '')])),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    container.process = child;
    container.state = { running: { startedAt: new Date().toISOString() } };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.replace(/\n$/, '').split('\n')) container.log.push(`${now()} ${line}\n`);
        this.#notify();
      });
    }
    const exitCode = await new Promise<number>((resolve) => {
      child.once('error', () => resolve(128));
      child.once('close', (code) => resolve(code ?? 137));
    });
    container.state = { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } };
    this.#notify();
    return exitCode;
  }

  #never(container: Running, reason: string): Promise<number> {
    container.state = { waiting: { reason, message: `Image "${container.spec.image}"` } };
    return new Promise(() => {});
  }

  #inside({ volumeMounts = [] }: ContainerSpec, text: string): string {
    return volumeMounts.reduce(
      (done, { name, mountPath }) => done.replaceAll(mountPath, join(this.#folder, name)),
      text,
    );
  }

  #notify(): void {
    for (const resolve of this.#changed) resolve();
    this.#changed.clear();
  }
}

let lastTime = 0n;

/** Times of a node have nanoseconds; two lines never share one. */
function now(): string {
  const time = BigInt(Date.now()) * 1_000_000n;
  lastTime = time > lastTime ? time : lastTime + 1n;
  const seconds = new Date(Number(lastTime / 1_000_000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(lastTime % 1_000_000_000n).padStart(9, '0')}Z`;
}

const exitCodeOf = (state: Record<string, unknown>): number | undefined =>
  (state.terminated as { exitCode: number } | undefined)?.exitCode;

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
