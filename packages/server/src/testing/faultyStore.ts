import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, requestedKinds } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';
import type { FastifyInstance } from 'fastify';

/** A fault of a commit: none, it fails, it is delayed, or it is stored and its response is lost; or a read fails. */
type Fault = 'none' | 'fail' | 'delay' | 'loseAnswer' | 'failedRead';

/** Each fault hits one commit out of this number, on average. */
const oneIn = 12;
/** Servers read more often than they write. */
const oneReadIn = 20;
const longestDelayMs = 30;

/**
 * Events that a user requests. Their commits get no faults: a failed request responds with an error, and the
 * test would have to retry it.
 */
const requested: ReadonlySet<string> = new Set(requestedKinds);

/** Operations of commits that servers make by themselves and must bring to an end, whatever happens to them. */
const repeatable = new Set<Op['op']>([
  'execution.update',
  'log.insert',
  'metric.insert',
  'message.put',
  'message.take',
  'attempt.begin',
  'attempt.end',
  'attempt.want',
  'folder.hold',
  'folder.drop',
]);

/** Part of the message of a failed read. */
export const failedRead = 'a read failed';

/** The seed of the faults of this test run, if any: see CONTRIBUTING. */
export const faultSeed: number | undefined =
  process.env.MILLRACE_TEST_FAULTS === undefined ? undefined : Number(process.env.MILLRACE_TEST_FAULTS);

export interface FaultyStore {
  readonly store: Store;
  /** How often each fault happened. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Reads fail from now on. A server that cannot read while it starts does not start. */
  started(): void;
  /** Everything is left alone from now on. */
  stop(): void;
}

/** A store that goes wrong as the seed decides: the same seed and order of calls give the same faults. */
export function faultyStore(store: Store, seed: number): FaultyStore {
  const random = randomOf(seed);
  const counts: Record<Fault, number> = { none: 0, fail: 0, delay: 0, loseAnswer: 0, failedRead: 0 };
  let isStarted = false;
  let isStopped = false;
  const commit: Store['commit'] = async (unit) => {
    const fault = isStopped || !mayFail(unit) ? 'none' : choose(random);
    counts[fault]++;
    if (fault === 'fail') throw away('the commit was not stored');
    if (fault === 'delay') await delay(random() * longestDelayMs);
    await store.commit(unit);
    if (fault === 'loseAnswer') throw away('the commit was stored, but its answer is lost');
  };
  const read =
    (name: string, method: Method): Method =>
    async (...args) => {
      if (!isStarted || isStopped || openRequest.getStore()?.isOpen || random() * oneReadIn >= 1)
        return method(...args);
      counts.failedRead++;
      throw away(`${failedRead} (${name})`);
    };
  // Methods of the store do not use `this`, so a copy with other methods works.
  return {
    store: {
      ...withEach(store, read),
      ...(store.cluster && { cluster: withEach(store.cluster, read) }),
      commit,
    },
    counts,
    started: () => {
      isStarted = true;
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** The request in whose course something is read, if any. */
const openRequest = new AsyncLocalStorage<{ isOpen: boolean }>();

/** Reads of a request succeed while it is open: it would respond with an error, which the test did not ask for. */
export function keepRequestsWhole(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const own = { isOpen: true };
    reply.raw.once('close', () => {
      own.isOpen = false;
    });
    openRequest.run(own, done);
  });
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** These return no promise, or end the store. */
const left = new Set(['onChange', 'interrupt', 'ping', 'close', 'commit']);

/** A copy with another version of each asynchronous method. */
const withEach = <T extends object>(methods: T, change: (name: string, method: Method) => Method): T =>
  Object.fromEntries(
    Object.entries(methods).map(([name, value]) => [
      name,
      typeof value === 'function' && !left.has(name) ? change(name, value as Method) : value,
    ]),
  ) as T; // Every name has a value of the same type.

function mayFail(unit: readonly Op[]): boolean {
  const events = unit.flatMap((op) => (op.op === 'event.append' ? op.events : []));
  // `as`: the engine has written them.
  const isRequested = events.some((event) => requested.has((event as { type: string }).type));
  if (isRequested || unit.some(isAsked)) return false;
  return unit.some(({ op }) => repeatable.has(op));
}

const isAsked = (op: Op): boolean =>
  op.op === 'execution.insert' || (op.op === 'message.put' && op.message.content.kind === 'request');

function choose(random: () => number): Fault {
  const faults = ['fail', 'delay', 'loseAnswer'] as const;
  return faults[Math.floor(random() * oneIn)] ?? 'none';
}

const away = (what: string): Error => new AppError('unavailable', `Injected fault: ${what}.`);

/** A small generator (mulberry32): tests need the same faults for the same seed, not good randomness. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
