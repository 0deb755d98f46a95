import { setImmediate as turn } from 'node:timers/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { z } from 'zod';
import { LineSplitter } from './lineSplitter.ts';
import { OutputProtocol } from './outputProtocol.ts';

/** What every script task returns. */
export const scriptOutput = z.object({
  vars: z.record(z.string(), z.unknown()).describe('What the script printed as `::{"outputs": {…}}::`.'),
  exitCode: z.number().nullable().describe('How the process ended; 0 is success.'),
  outputFiles: z
    .record(z.string(), z.string())
    .describe('The collected files and their URIs in internal storage.'),
});
export type ScriptOutput = z.infer<typeof scriptOutput>;

/** A chunk may be thirty thousand short lines: everybody else gets a turn after so much of it. */
const mostMs = 5;

/** Turns the two streams of a process into log lines and outputs. */
export class ScriptLog {
  readonly #context: TaskContext;
  readonly #protocol: OutputProtocol;
  readonly #streams: { readonly level: 'INFO' | 'ERROR'; readonly lines: LineSplitter }[];
  hasErrors = false;

  constructor(context: TaskContext) {
    this.#context = context;
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
      if (isWhole && text.startsWith('::') && (await this.#protocol.take(text))) continue;
      if (stream.level === 'ERROR') this.hasErrors = true;
      // Only a log that is full answers with a promise; awaiting every line would cost a turn of the loop each.
      const full = this.#context.log(stream.level, text);
      if (full) await full;
      if (performance.now() < free) continue;
      await turn();
      free = performance.now() + mostMs;
    }
  }
}
