import { createHash } from 'node:crypto';
import { parseDuration } from '@millrace/engine';
import type { OutputCache } from '@millrace/plugin-kit';
import type { InternalStorage } from '../files/internalStorage.ts';
import type { Attempt, StartedAttempt } from './worker.ts';

interface CacheParts {
  readonly files: Pick<InternalStorage, 'put' | 'read' | 'sizeOf'>;
  readonly clock: () => number;
}

/**
 * The outputs that a task with `taskCache` stored in an earlier execution, by its rendered properties. The
 * key is a hash of the properties, because they may hold secrets. Undefined for a task without a cache.
 */
export function outputCacheOf(
  { task }: Attempt,
  { execution, taskRun }: StartedAttempt,
  { files, clock }: CacheParts,
): OutputCache | undefined {
  const { enabled, ttl } = readSettings(task.taskCache);
  if (!enabled) return undefined;
  const { tenantId, namespace, flowId } = execution;
  const segmentsOf = (properties: unknown) => {
    const about = [tenantId, namespace, flowId, task.id, task.type, taskRun.value ?? null, properties];
    return [cacheFolder, `${createHash('sha256').update(JSON.stringify(about)).digest('hex')}.json`];
  };
  return {
    find: async (properties) => {
      const uri = `millrace:///${segmentsOf(properties).join('/')}`;
      if ((await files.sizeOf(uri)) === undefined) return undefined;
      const kept = parse(await textOf(await files.read(uri)));
      return kept && (kept.expiresAt === undefined || kept.expiresAt > clock()) ? kept.outputs : undefined;
    },
    keep: async (properties, outputs) => {
      // The date comes first because the cleanup reads only the beginning of the file.
      const kept: Kept = { ...(ttl === undefined ? {} : { expiresAt: clock() + ttl }), outputs };
      await files.put(segmentsOf(properties), JSON.stringify(kept));
    },
  };
}

const cacheFolder = 'cache';
/** Where WorkingDirectory tasks keep files: a folder each, with a list in it. */
export const folderCache: readonly string[] = [cacheFolder, 'folders'];
/** A namespace may have the same name as the folder; its files are not cache files. */
const cacheFile = /\/cache\/(?:[0-9a-f]{64}\.json|folders\/([0-9a-f]{64})\/list\.json)$/;

interface Kept {
  readonly expiresAt?: number;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/**
 * Removes expired outputs and folders, and those without an expiry date that are older than the longest
 * retention of executions, because the files that their outputs reference are gone.
 */
export async function sweepOutputCache(
  files: Pick<InternalStorage, 'walk' | 'read' | 'delete' | 'deleteBelow'>,
  now: number,
  longestKeepMs: number,
): Promise<number> {
  let removed = 0;
  for await (const { uri, modifiedAt } of files.walk([cacheFolder])) {
    const found = cacheFile.exec(uri);
    if (!found) continue;
    const hasEnded = await expiryOf(uri, files).then(
      (expiresAt) => (expiresAt === undefined ? modifiedAt + longestKeepMs < now : expiresAt <= now),
      // Another server has removed it meanwhile.
      () => false,
    );
    if (!hasEnded) continue;
    removed++;
    if (found[1] === undefined) await files.delete(uri);
    else await files.deleteBelow([...folderCache, found[1]]);
  }
  return removed;
}

async function expiryOf(uri: string, files: Pick<InternalStorage, 'read'>): Promise<number | undefined> {
  const beginning = await textOf(await files.read(uri, { start: 0, end: 63 }));
  const written = /^\{"expiresAt":(\d+)/.exec(beginning)?.[1];
  return written === undefined ? undefined : Number(written);
}

function readSettings(taskCache: unknown): { readonly enabled: boolean; readonly ttl: number | undefined } {
  if (typeof taskCache !== 'object' || taskCache === null) return { enabled: false, ttl: undefined };
  const { enabled, ttl } = taskCache as { enabled?: unknown; ttl?: unknown }; // any map may be asked for these
  return { enabled: enabled === true, ttl: typeof ttl === 'string' ? parseDuration(ttl) : undefined };
}

/** A file of another format counts as missing. */
function parse(text: string): Kept | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === 'object' && kept !== null && 'outputs' in kept ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
