import { createHash } from 'node:crypto';
import { parseDuration } from '@millrace/engine';
import type { OutputCache } from '@millrace/plugins';
import type { InternalStorage } from '../files/internalStorage.ts';
import type { Attempt, Begun } from './worker.ts';

interface CacheParts {
  readonly files: Pick<InternalStorage, 'put' | 'read' | 'sizeOf'>;
  readonly clock: () => number;
}

/**
 * The outputs that a task with `taskCache` has left in an earlier execution, by what its properties rendered to. Only a hash
 * of them is kept, because they may hold secrets. Nothing for a task that keeps none.
 */
export function outputCacheOf(
  { task }: Attempt,
  { execution, taskRun }: Begun,
  { files, clock }: CacheParts,
): OutputCache | undefined {
  const { enabled, ttl } = readSettings(task.taskCache);
  if (!enabled) return undefined;
  const { tenantId, namespace, flowId } = execution;
  const segmentsOf = (properties: unknown) => {
    const about = [tenantId, namespace, flowId, task.id, task.type, taskRun.value ?? null, properties];
    return ['cache', `${createHash('sha256').update(JSON.stringify(about)).digest('hex')}.json`];
  };
  return {
    find: async (properties) => {
      const uri = `millrace:///${segmentsOf(properties).join('/')}`;
      if ((await files.sizeOf(uri)) === undefined) return undefined;
      const kept = parse(await textOf(await files.read(uri)));
      return kept && (kept.expiresAt === undefined || kept.expiresAt > clock()) ? kept.outputs : undefined;
    },
    keep: async (properties, outputs) => {
      const kept: Kept = { outputs, ...(ttl === undefined ? {} : { expiresAt: clock() + ttl }) };
      await files.put(segmentsOf(properties), JSON.stringify(kept));
    },
  };
}

interface Kept {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly expiresAt?: number;
}

function readSettings(taskCache: unknown): { readonly enabled: boolean; readonly ttl: number | undefined } {
  if (typeof taskCache !== 'object' || taskCache === null) return { enabled: false, ttl: undefined };
  const { enabled, ttl } = taskCache as { enabled?: unknown; ttl?: unknown }; // any map may be asked for these
  return { enabled: enabled === true, ttl: typeof ttl === 'string' ? parseDuration(ttl) : undefined };
}

/** A file that somebody else has written there counts as none. */
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
