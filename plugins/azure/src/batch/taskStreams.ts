import type { RunnerJob } from '@millrace/plugin-kit';
import { z } from 'zod';
import { readBytes } from '../client/http.ts';
import type { Batch } from './batchApi.ts';

export const batchFailure = z.looseObject({
  code: z.string().nullish(),
  message: z.unknown().optional(),
});

export const taskState = z.looseObject({
  id: z.string(),
  state: z.string(),
  executionInfo: z
    .looseObject({
      exitCode: z.number().nullish(),
      result: z.string().nullish(),
      failureInfo: batchFailure.nullish(),
    })
    .nullish(),
});

/** A message is a text, or a text with its language. */
export function failureText({ code, message }: z.infer<typeof batchFailure>): string {
  const read = z
    .union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)])
    .safeParse(message);
  return `${code ?? ''}${read.success ? `: ${read.data.split('\n')[0]}` : ''}`;
}

const chunkBytes = 4 * 1_048_576;

/** The two streams of a task, read as far as they were not read before. */
export class TaskStreams {
  readonly #batch: Batch;
  readonly #path: string;
  readonly #target: Pick<RunnerJob, 'onStdout' | 'onStderr'>;
  readonly #offsets = { stdout: 0, stderr: 0 };

  constructor(batch: Batch, path: string, target: Pick<RunnerJob, 'onStdout' | 'onStderr'>) {
    this.#batch = batch;
    this.#path = path;
    this.#target = target;
  }

  async read(): Promise<void> {
    for (const name of ['stdout', 'stderr'] as const) {
      for (let size = chunkBytes; size >= chunkBytes; ) {
        const chunk = await this.#chunk(name);
        size = chunk.length;
        this.#offsets[name] += size;
        if (size > 0) await (name === 'stdout' ? this.#target.onStdout(chunk) : this.#target.onStderr(chunk));
      }
    }
  }

  async #chunk(name: 'stdout' | 'stderr'): Promise<Uint8Array> {
    const from = this.#offsets[name];
    const response = await this.#batch.send({
      action: 'the output of a task',
      method: 'GET',
      path: `${this.#path}/files/${name}.txt`,
      headers: { 'ocp-range': `bytes=${from}-${from + chunkBytes - 1}` },
      // Not written yet, gone with its node, or nothing new.
      accept: [404, 409, 416],
    });
    const bytes = await readBytes(response);
    return response.status < 300 ? bytes : new Uint8Array();
  }
}
