import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { BlobStore } from '@millrace/contract';
import { blobKey, type Store } from '@millrace/store';
import { z } from 'zod';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';
import { dataOf, StoredDate } from '../storedDocument.ts';
import { SlowQueryReports } from './slowQueryReports.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const sampleKind = 'instance.sample';
/** One sample an hour, kept this long: at most 2,160 small documents per machine. */
const keptForMs = 90 * dayMs;
/** The forecast follows recent growth. */
const readForMs = 30 * dayMs;
const leastSpanMs = 6 * hourMs;
const maxShown = 60;
/** A larger storage is only measured in part, because a walk reads every entry. */
const maxFiles = 20_000;
const firstSampleMs = 30_000;

const Sample = z.object({
  at: StoredDate,
  databaseBytes: z.number().optional(),
  storageBytes: z.number().optional(),
  isPartial: z.boolean().optional(),
  freeBytes: z.number(),
  totalBytes: z.number(),
});
export type Sample = Readonly<z.infer<typeof Sample>>;

interface SamplerParts {
  readonly config: Config;
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly serverId: string;
  /** Other servers use the same database. */
  readonly isShared: boolean;
}

/** Records sizes every hour and slow statements. They are stored, so that all servers can show them. */
export class Sampler {
  readonly #parts: SamplerParts;
  readonly slowQueries: SlowQueryReports;
  #timer: NodeJS.Timeout | undefined;
  #sampling: Promise<void> | undefined;
  #isStopped = true;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
    this.slowQueries = new SlowQueryReports(parts);
  }

  start(): void {
    this.#isStopped = false;
    this.slowQueries.start();
    this.#plan(firstSampleMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#sampling, this.slowQueries.stop()]);
  }

  /** Stores one sample per hour and machine: further ones of the hour replace it. */
  async sample(): Promise<void> {
    const { store, clock, config } = this.#parts;
    const at = clock();
    const disk = await readDisk(config.data);
    if (!disk) return;
    const database = await store.describeDatabase().catch(() => undefined);
    const storage = await this.#measureStorage();
    const data: Sample = {
      at,
      ...disk,
      ...storage,
      ...(database ? { databaseBytes: database.sizeBytes } : {}),
    };
    const id = `${hostname()}/${Math.floor(at / hourMs)}`;
    await store.commit([
      { op: 'document.put', document: { kind: sampleKind, id, parent: hostname(), at, data } },
      { op: 'document.sweep', kind: sampleKind, before: at - keptForMs },
    ]);
  }

  /** The samples of a machine, oldest first. */
  async read(host = hostname()): Promise<Sample[]> {
    const documents = await this.#parts.store.listDocuments({
      kind: sampleKind,
      parent: host,
      from: this.#parts.clock() - readForMs,
      limit: 1_000,
    });
    return documents.flatMap((document) => dataOf(Sample, document) ?? []);
  }

  #plan(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#sampling = this.sample()
        .catch((error: unknown) =>
          this.#parts.log.warn('The sizes for the disk forecast could not be recorded.', { error }),
        )
        .finally(() => {
          if (!this.#isStopped) this.#plan(hourMs);
        });
    }, delayMs);
    this.#timer.unref();
  }

  /** Only of a folder: listing a bucket costs money. */
  async #measureStorage(): Promise<Pick<Sample, 'storageBytes' | 'isPartial'>> {
    const { config, blobs } = this.#parts;
    if (config.storage.type !== 'local') return {};
    let [storageBytes, files] = [0, 0];
    try {
      for await (const { sizeBytes } of blobs.walk(blobKey(''))) {
        storageBytes += sizeBytes;
        if (++files >= maxFiles || this.#isStopped) return { storageBytes, isPartial: true };
      }
      return { storageBytes };
    } catch {
      return {};
    }
  }
}

export async function readDisk(
  folder: string,
): Promise<{ readonly freeBytes: number; readonly totalBytes: number } | undefined> {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && { freeBytes: stats.bavail * stats.bsize, totalBytes: stats.blocks * stats.bsize };
}

interface Forecast {
  readonly samples: { at: string; usedBytes: number; databaseBytes?: number | undefined }[];
  readonly growthBytesPerDay?: number;
  readonly fullAt?: string;
}

/** A straight line through the samples by least squares. */
export function forecast(samples: readonly Sample[], now: number): Forecast {
  const used = samples.map(({ at, freeBytes, totalBytes }) => ({ at, bytes: totalBytes - freeBytes }));
  const every = Math.max(1, Math.ceil(samples.length / maxShown));
  const shown = samples
    .filter((_, index) => (samples.length - 1 - index) % every === 0)
    .map(({ at, freeBytes, totalBytes, databaseBytes }) => ({
      at: new Date(at).toISOString(),
      usedBytes: totalBytes - freeBytes,
      databaseBytes,
    }));
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < leastSpanMs) return { samples: shown };
  const meanAt = used.reduce((sum, { at }) => sum + at, 0) / used.length;
  const meanBytes = used.reduce((sum, { bytes }) => sum + bytes, 0) / used.length;
  const [above, below] = used.reduce(
    ([a, b], { at, bytes }) => [a + (at - meanAt) * (bytes - meanBytes), b + (at - meanAt) ** 2],
    [0, 0],
  );
  const perMs = below === 0 ? 0 : above / below;
  const fullAt = now + last.freeBytes / perMs;
  // Beyond ten years the line says nothing.
  const isFull = perMs > 0 && fullAt < now + 3_650 * dayMs;
  return {
    samples: shown,
    growthBytesPerDay: perMs * dayMs,
    ...(isFull ? { fullAt: new Date(fullAt).toISOString() } : {}),
  };
}
