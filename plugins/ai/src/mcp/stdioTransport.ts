import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter } from './lineSplitter.ts';

interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Log the program's standard error. */
  readonly logEvents: boolean;
}

const maxStreamBytes = 1024 * 1024 * 1024;

/**
 * Starts an MCP server as a process of the task, with the same user, environment and end as scripts have. Such a process
 * has no input stream, so it reads its messages from a named pipe.
 */
export async function startStdioServer(context: TaskContext, program: Program): Promise<Transport> {
  const [first] = program.command;
  if (first === undefined) throw new TaskFailed('"command" must name a program.', { retry: false });
  const folder = await context.workingDirectory();
  const pipe = join(folder, `.mcp-${Math.random().toString(36).slice(2)}`);
  await makePipe(context, folder, pipe);
  return new StdioTransport(context, program, folder, pipe);
}

async function makePipe(context: TaskContext, workingDirectory: string, pipe: string): Promise<void> {
  const { exitCode } = await context.spawn({
    command: ['mkfifo', pipe],
    workingDirectory,
    onStdout: () => {},
    onStderr: () => {},
  });
  if (exitCode !== 0) throw new TaskFailed('A named pipe could not be created with mkfifo.');
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #context: TaskContext;
  readonly #program: Program;
  readonly #folder: string;
  readonly #pipe: string;
  readonly #stop = new AbortController();
  #input: FileHandle | undefined;
  #ended: Promise<void> | undefined;

  constructor(context: TaskContext, program: Program, folder: string, pipe: string) {
    this.#context = context;
    this.#program = program;
    this.#folder = folder;
    this.#pipe = pipe;
  }

  async start(): Promise<void> {
    // Open for both directions, because a pipe that is only written waits for its reader.
    this.#input = await open(this.#pipe, 'r+');
    this.#ended = this.#run().finally(() => this.onclose?.());
  }

  async #run(): Promise<void> {
    const { command, env, logEvents } = this.#program;
    const messages = new LineSplitter((line) => this.#receive(line));
    const events = new LineSplitter((line) => {
      if (logEvents) void this.#context.log('INFO', line);
    });
    try {
      const { exitCode } = await this.#context.spawn({
        command: ['/bin/sh', '-c', 'exec "$@" < "$0"', this.#pipe, ...command],
        workingDirectory: this.#folder,
        env,
        signal: AbortSignal.any([this.#stop.signal, this.#context.signal]),
        graceMs: 1_000,
        maxStreamBytes,
        onStdout: (chunk) => messages.push(chunk),
        onStderr: (chunk) => events.push(chunk),
      });
      if (exitCode !== 0 && !this.#stop.signal.aborted)
        this.onerror?.(new Error(`The process ended with exit code ${exitCode}.`));
    } catch (error) {
      if (!this.#stop.signal.aborted) this.onerror?.(new Error(messageOf(error)));
    } finally {
      // A program that ends by itself is never closed by the client.
      await this.#closeInput();
    }
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    try {
      this.onmessage?.(JSON.parse(line));
    } catch {
      // Programs print greetings; only JSON is a message.
      void this.#context.log('DEBUG', line);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#input?.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#closeInput();
    await this.#ended;
  }

  async #closeInput(): Promise<void> {
    const input = this.#input;
    this.#input = undefined;
    await input?.close().catch(() => {});
  }
}
