import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { nodeFlags } from '../../scripts/setup/nodeFlags.mjs';
import { inRoot } from '../../scripts/setup/root.mjs';
import { findFreePort } from './freePort.ts';

export interface LaunchOptions {
  /** The data folder; a temporary one that goes when the product stops, unless given. */
  readonly data?: string;
  readonly databaseUrl?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The command that starts it; the built server itself unless given. */
  readonly command?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built product in a separate process, on free ports. */
export interface Product {
  readonly url: string;
  readonly managementUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly data: string;
  /** From the start of the process to the first good answer of the health check. */
  readonly healthyAfterMs: number;
  readonly exited: Promise<Exit>;
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

export async function launchProduct(options: LaunchOptions = {}): Promise<Product> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    try {
      return await launch(options);
    } catch (error) {
      // Another test took the free port before the product did.
      if (triesLeft === 0 || !String(error).includes('is in use by another program')) throw error;
    }
  }
}

async function launch(options: LaunchOptions): Promise<Product> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'millrace-'));
  const port = await findFreePort();
  const managementPort = await findFreePort();
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const startedAt = performance.now();
  const { child, exited, output } = runProduct(
    ['--data', data, '--port', String(port), '--management-port', String(managementPort)],
    options,
  );
  await waitUntilHealthy(managementUrl, exited, output);

  return {
    url: `http://127.0.0.1:${port}`,
    managementUrl,
    port,
    pid: child.pid ?? 0,
    data,
    healthyAfterMs: performance.now() - startedAt,
    exited,
    output,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const exit = await exited;
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
      return exit;
    },
  };
}

/** Starts the built product with these very arguments and waits for nothing. */
export function runProduct(
  args: readonly string[],
  options: LaunchOptions = {},
): { child: ChildProcess; exited: Promise<Exit>; output: () => string } {
  const database = options.databaseUrl === undefined ? [] : ['--database-url', options.databaseUrl];
  const [program = '', ...words] = options.command ?? [
    process.execPath,
    ...nodeFlags,
    inRoot('dist', 'server', 'millrace.js'),
  ];
  const child = spawn(program, [...words, ...args, ...database, ...(options.args ?? [])], {
    env: { ...environment(), MILLRACE_TUTORIAL_ENABLED: 'false', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited, output: () => chunks.join('') };
}

/** The environment of the test run must not configure the product under test. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MILLRACE_')));
}

async function waitUntilHealthy(
  managementUrl: string,
  exited: Promise<Exit>,
  output: () => string,
): Promise<void> {
  let gone: Exit | undefined;
  const watch = exited.then((exit) => {
    gone = exit;
  });
  while (!(await isHealthy(managementUrl))) {
    await Promise.race([wait(5), watch]);
    if (gone)
      throw new Error(`The product ended with ${gone.code ?? gone.signal} at its start:\n${output()}`);
  }
}

async function isHealthy(managementUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${managementUrl}/health`);
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
