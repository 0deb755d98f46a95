import { createHash } from 'node:crypto';
import { type TaskContext, unlessKilled } from '@millrace/plugin-kit';
import type { ConnectionInput, Database, Session } from './session.ts';

const idleMs = 30_000;

interface IdleSession {
  readonly session: Session;
  readonly timer: NodeJS.Timeout;
}

interface Pool {
  inUse: number;
  readonly idle: IdleSession[];
  readonly waiting: (() => void)[];
}

export interface Lease {
  readonly session: Session;
  /** Returns the session to the pool; closes a session that is not reusable. */
  end(isReusable: boolean): Promise<void>;
}

const pools = new Map<string, Pool>();

/** Only tasks with the same URL, credentials and options share connections. */
export async function lendSession(
  context: TaskContext,
  database: Database,
  input: ConnectionInput,
): Promise<Lease> {
  if (!input.connectionPooling || database.isPooled === false) {
    const session = await open(context, database, input);
    return { session, end: () => session.close() };
  }
  const key = keyOf(database, input);
  const pool = pools.get(key) ?? { inUse: 0, idle: [], waiting: [] };
  pools.set(key, pool);
  while (pool.inUse >= input.connectionPoolSize) await nextFree(pool, context.signal);
  pool.inUse++;
  try {
    const session = (await takeIdle(pool)) ?? (await open(context, database, input));
    return { session, end: (isReusable) => giveBack(key, pool, session, isReusable) };
  } catch (error) {
    free(key, pool);
    throw error;
  }
}

/** Most drivers cannot be interrupted while they log in. */
const open = (context: TaskContext, database: Database, input: ConnectionInput): Promise<Session> =>
  unlessKilled(context, database.open(context, input), (late) => late.close());

/** Closes the connections that wait for a task. */
export async function closeIdleSessions(): Promise<void> {
  for (const pool of pools.values())
    for (const { session, timer } of pool.idle.splice(0)) {
      clearTimeout(timer);
      await session.close();
    }
}

/** Credentials are part of the key, hashed because keys may show up in memory dumps and errors. */
function keyOf(database: Database, { sql: _, ...input }: ConnectionInput): string {
  const names = ['url', 'username', 'password', 'timeZoneId', ...Object.keys(database.properties?.() ?? {})];
  const values = names.map((name) => [name, input[name] ?? null]);
  return createHash('sha256')
    .update(JSON.stringify([database.name, values]))
    .digest('hex');
}

/** Takes an idle session. A session that the server has closed cannot be reset and is dropped. */
async function takeIdle(pool: Pool): Promise<Session | undefined> {
  for (let found = pool.idle.pop(); found; found = pool.idle.pop()) {
    clearTimeout(found.timer);
    found.session.setIdle(false);
    try {
      await found.session.reset();
      return found.session;
    } catch {
      await found.session.close();
    }
  }
  return undefined;
}

async function giveBack(key: string, pool: Pool, session: Session, isReusable: boolean): Promise<void> {
  if (isReusable) {
    session.setIdle(true);
    const timer = setTimeout(() => {
      pool.idle.splice(
        pool.idle.findIndex((each) => each.session === session),
        1,
      );
      void session.close();
      forgetEmpty(key, pool);
    }, idleMs).unref();
    pool.idle.push({ session, timer });
  } else await session.close();
  free(key, pool);
}

function free(key: string, pool: Pool): void {
  pool.inUse--;
  pool.waiting.shift()?.();
  forgetEmpty(key, pool);
}

function forgetEmpty(key: string, pool: Pool): void {
  if (pool.inUse === 0 && pool.idle.length === 0 && pool.waiting.length === 0) pools.delete(key);
}

function nextFree(pool: Pool, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      const at = pool.waiting.indexOf(proceed);
      if (at >= 0) pool.waiting.splice(at, 1);
      reject(signal.reason);
    };
    const proceed = () => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    pool.waiting.push(proceed);
  });
}
