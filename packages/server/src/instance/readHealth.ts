import { hostname } from 'node:os';
import type { BlobStore, InstanceHealth, InstanceRetention } from '@millrace/contract';
import { messageOf } from '@millrace/plugin-kit';
import { blobKey } from '@millrace/store';
import { z } from 'zod';
import { lastRoundKey } from '../maintenance/janitor.ts';
import type { Product } from '../product.ts';
import { StoredDate } from '../storedDocument.ts';
import { forecast, readDisk } from './sampler.ts';

type Parts = Pick<
  Product,
  'store' | 'config' | 'blobs' | 'sampler' | 'clock' | 'newId' | 'log' | 'membership'
>;

const respondsWithinMs = 5_000;
const maxExpired = 1_000;
const maxHosts = 20;
const dayMs = 86_400_000;

export async function readInstanceHealth(parts: Parts): Promise<InstanceHealth> {
  const { config, sampler, clock } = parts;
  const [database, storage, disk, samples, otherDisks] = await Promise.all([
    checkDatabase(parts),
    checkStorage(parts),
    readDisk(config.data),
    sampler.read().catch(() => []),
    readOtherDisks(parts).catch(() => []),
  ]);
  const last = samples.at(-1);
  return {
    database,
    storage: {
      ...storage,
      ...(last?.storageBytes === undefined ? {} : { sizeBytes: last.storageBytes }),
      ...(last?.isPartial ? { isPartial: true } : {}),
    },
    ...(disk ? { disk } : {}),
    forecast: forecast(samples, clock()),
    otherDisks,
  };
}

/** Each server samples its own disk; the samples are in the database. */
async function readOtherDisks({ membership, sampler, clock }: Parts): Promise<InstanceHealth['otherDisks']> {
  const hosts = new Set(membership?.active.flatMap(({ status }) => status?.host ?? []));
  hosts.delete(hostname());
  const disks = await Promise.all(
    [...hosts].slice(0, maxHosts).map(async (host) => {
      const samples = await sampler.read(host);
      const last = samples.at(-1);
      if (!last || last.at < clock() - dayMs) return [];
      const { at, freeBytes, totalBytes } = last;
      return [
        {
          host,
          at: new Date(at).toISOString(),
          freeBytes,
          totalBytes,
          forecast: forecast(samples, clock()),
        },
      ];
    }),
  );
  return disks.flat();
}

async function checkDatabase({ store, config }: Parts): Promise<InstanceHealth['database']> {
  const kind = config.database.url === undefined ? 'SQLite' : 'PostgreSQL';
  try {
    const startedAt = performance.now();
    await inTime(store.ping());
    const latencyMs = performance.now() - startedAt;
    return { status: 'UP', ...(await inTime(store.describeDatabase())), latencyMs };
  } catch (error) {
    return { status: 'DOWN', kind, error: messageOf(error) };
  }
}

/** Writes a small file, reads it and removes it. The reason of a failure can hold a path, so it is not sent. */
async function checkStorage({
  blobs,
  config,
  newId,
  log,
}: Parts): Promise<Omit<InstanceHealth['storage'], 'sizeBytes'>> {
  const { type } = config.storage;
  const key = blobKey(`.health/${newId()}`);
  try {
    const startedAt = performance.now();
    await inTime(blobs.put(key, content(key)));
    const writtenAt = performance.now();
    if ((await inTime(readText(blobs, key))) !== key) throw new Error('the file has another content');
    const readMs = performance.now() - writtenAt;
    return { status: 'UP', type, writeMs: writtenAt - startedAt, readMs };
  } catch (error) {
    log.warn('The check of the storage failed.', { error });
    return { status: 'DOWN', type, error: 'A file could not be written and read again.' };
  } finally {
    await blobs.delete(key).catch(() => false);
  }
}

async function* content(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function readText(blobs: BlobStore, key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await blobs.read(key)) ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no response within 5 seconds')), respondsWithinMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const LastRound = z.object({
  at: StoredDate,
  executions: z.number().int(),
  logs: z.number().int(),
  durationMs: z.number(),
});

export async function readRetention({ store, config, clock }: Parts): Promise<InstanceRetention> {
  const { enabled, everyMs, keep, namespaces } = config.retention;
  const named = Object.entries(namespaces);
  const scopes = [
    { except: named.map(([name]) => name), keep },
    ...named.map(([within, kept]) => ({
      within,
      except: named.map(([name]) => name).filter((name) => name.startsWith(`${within}.`)),
      keep: kept,
    })),
  ];
  const rules = await Promise.all(
    scopes.map(async ({ keep: kept, ...scope }) => {
      const before = kept === 'forever' ? undefined : clock() - kept;
      const expired =
        before === undefined || !enabled
          ? []
          : await store.expiredExecutions({ ...scope, before, limit: maxExpired });
      return {
        ...('within' in scope ? { namespace: scope.within } : {}),
        ...(kept === 'forever' ? {} : { keepMs: kept }),
        expired: expired.length,
      };
    }),
  );
  const last = LastRound.safeParse(await store.getSetting(lastRoundKey).catch(() => undefined)).data;
  return {
    enabled,
    everyMs,
    rules,
    ...(last ? { lastRun: { ...last, at: new Date(last.at).toISOString() } } : {}),
  };
}
