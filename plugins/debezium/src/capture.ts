import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TaskContext, TaskFailed, toIonText } from '@millrace/plugin-kit';
import type { Change, ChangeSource } from './change.ts';
import { type FormatInput, formatChange } from './format.ts';

export interface CaptureInput extends FormatInput {
  readonly stateName: string;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
  readonly maxWait: number;
  readonly maxSnapshotDuration: number;
}

export interface Captured {
  readonly size: number;
  readonly uris: Readonly<Record<string, string>>;
  readonly stateOffsetKey: string;
}

/** The position in the log of the database, kept in the key-value store of the namespace. */
export class CaptureState {
  readonly #context: TaskContext;
  readonly key: string;

  constructor(context: TaskContext, stateName: string) {
    this.#context = context;
    this.key = `${context.run.flowId}_${stateName}`;
  }

  async read(): Promise<unknown> {
    const stored = await this.#context.kv.get(this.key, this.#context.run.namespace);
    return typeof stored === 'string' ? JSON.parse(stored) : stored;
  }

  async write(position: unknown): Promise<void> {
    await this.#context.kv.set(this.key, position, {
      namespace: this.#context.run.namespace,
      overwrite: true,
      type: 'JSON',
      description: 'The position up to which changes were captured.',
    });
  }
}

const shortestWaitMs = 50;

/** Stores changes as files of rows, one per stream, until a limit is reached. */
export async function storeChanges(
  context: TaskContext,
  source: ChangeSource,
  input: CaptureInput,
): Promise<Omit<Captured, 'stateOffsetKey'>> {
  const startedAt = Date.now();
  const files = new Map<string, StreamFile>();
  let size = 0;
  try {
    for (;;) {
      // The rest of a snapshot that cannot be continued would never be captured.
      const mustGoOn = source.isInSnapshot() && !source.resumesSnapshot;
      if (!mustGoOn && size >= (input.maxRecords ?? Number.POSITIVE_INFINITY)) break;
      context.signal.throwIfAborted();
      const limit = source.isInSnapshot()
        ? Math.max(input.maxSnapshotDuration, input.maxDuration ?? 0)
        : (input.maxDuration ?? Number.POSITIVE_INFINITY);
      const left = startedAt + limit - Date.now();
      if (left <= 0 && mustGoOn)
        throw new TaskFailed(
          'The first snapshot took longer than "maxSnapshotDuration": allow more time, or include fewer tables.',
        );
      if (left <= 0) break;
      const change = await source.next(Math.max(Math.min(left, input.maxWait), shortestWaitMs));
      if (!change) break;
      if (await write(context, files, change, input)) size++;
    }
    const uris: Record<string, string> = {};
    for (const [stream, file] of files) uris[stream] = await file.end();
    context.metric({ name: 'records', type: 'counter', value: size });
    return { size, uris };
  } catch (error) {
    for (const file of files.values()) file.abandon();
    throw error;
  }
}

async function write(
  context: TaskContext,
  files: Map<string, StreamFile>,
  change: Change,
  input: FormatInput,
): Promise<boolean> {
  const row = formatChange(change, input);
  if (!row) return false;
  const file = files.get(row.stream) ?? new StreamFile(context, row.stream);
  files.set(row.stream, file);
  await file.write(row.data);
  return true;
}

/** A file that is stored while its rows are written. */
class StreamFile {
  readonly #rows = new PassThrough();
  readonly #stored: Promise<string>;

  constructor(context: TaskContext, stream: string) {
    this.#stored = context.files.put(`${stream.replace(/[^\w.-]/g, '_')}.ion`, this.#rows);
    this.#stored.catch(() => this.#rows.destroy());
  }

  async write(row: unknown): Promise<void> {
    if (this.#rows.destroyed) await this.#stored;
    if (!this.#rows.write(`${toIonText(row)}\n`))
      await Promise.race([once(this.#rows, 'drain'), this.#stored]);
  }

  end(): Promise<string> {
    this.#rows.end();
    return this.#stored;
  }

  abandon(): void {
    this.#rows.destroy(new TaskFailed('The capture was stopped.'));
  }
}
