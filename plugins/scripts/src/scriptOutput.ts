import { setImmediate as turn } from 'node:timers/promises';
import type { LogLevel } from '@millrace/contract';
import type { TaskContext } from '@millrace/plugin-kit';
import { z } from 'zod';
import { LineSplitter } from './lineSplitter.ts';
import { OutputProtocol } from './outputProtocol.ts';

/** The outputs of every script task. */
export const scriptOutput = z.object({
  vars: z.record(z.string(), z.unknown()).describe('What the script printed as `::{"outputs": {…}}::`.'),
  exitCode: z.number().nullable().describe('How the process ended; 0 is success.'),
  outputFiles: z
    .record(z.string(), z.string())
    .describe('The collected files and their URIs in internal storage.'),
  taskRunner: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Facts of the task runner, such as `containerId` of a container that keeps running.'),
});
export type ScriptOutput = z.infer<typeof scriptOutput>;

/** A line of a program's own log format, as it is to be logged. */
export type ReadLine = (line: string) => { readonly level: LogLevel; readonly message: string } | undefined;

/** A chunk may contain 30,000 short lines, so the loop yields to other work after this time. */
const mostMs = 5;

/** Converts the two streams of a process to log lines and outputs. */
export class ScriptLog {
  readonly #context: TaskContext;
  readonly #protocol: OutputProtocol;
  readonly #readLine: ReadLine | undefined;
  readonly #streams: { readonly level: 'INFO' | 'ERROR'; readonly lines: LineSplitter }[];
  readonly lineCounts = { stdout: 0, stderr: 0 };
  hasErrors = false;

  constructor(context: TaskContext, readLine?: ReadLine) {
    this.#context = context;
    this.#readLine = readLine;
    this.#protocol = new OutputProtocol(context);
    this.#streams = [
      { level: 'INFO', lines: new LineSplitter(context.masker) },
      { level: 'ERROR', lines: new LineSplitter(context.masker) },
    ];
  }

  get vars(): Readonly<Record<string, unknown>> {
    return this.#protocol.vars;
  }

  onStdout = (chunk: Uint8Array): Promise<void> => this.#take(0, chunk);
  onStderr = (chunk: Uint8Array): Promise<void> => this.#take(1, chunk);

  async end(): Promise<void> {
    await this.#take(0);
    await this.#take(1);
  }

  async #take(index: 0 | 1, chunk?: Uint8Array): Promise<void> {
    const stream = this.#streams[index];
    if (!stream) return;
    let free = performance.now() + mostMs;
    for (const { text, isWhole } of chunk ? stream.lines.push(chunk) : stream.lines.end()) {
      this.lineCounts[index === 0 ? 'stdout' : 'stderr']++;
      if (isWhole && text.startsWith('::') && (await this.#protocol.take(text))) continue;
      if (stream.level === 'ERROR') this.hasErrors = true;
      // Only a full log buffer returns a promise; awaiting every line would cost one event loop tick each.
      const { level, message } = this.#readLine?.(text) ?? { level: stream.level, message: text };
      const full = this.#context.log(level, message);
      if (full) await full;
      if (performance.now() < free) continue;
      await turn();
      free = performance.now() + mostMs;
    }
  }
}
