import { setTimeout as delay } from 'node:timers/promises';
import { AppError, requestedKinds } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';

/** A fault of a commit: none, it fails, it is delayed, or it is stored and its response is lost. */
type Fault = 'none' | 'fail' | 'delay' | 'loseAnswer';

/** Each fault hits one commit out of this number, on average. */
const oneIn = 12;
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

/** The seed of the faults of this test run, if any: see CONTRIBUTING. */
export const faultSeed: number | undefined =
  process.env.MILLRACE_TEST_FAULTS === undefined ? undefined : Number(process.env.MILLRACE_TEST_FAULTS);

export interface FaultyStore {
  readonly store: Store;
  /** How often each fault happened. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Every commit is left alone from now on. */
  stop(): void;
}

/** A store whose commits go wrong as the seed decides: the same seed and order of commits give the same faults. */
export function faultyStore(store: Store, seed: number): FaultyStore {
  const random = randomOf(seed);
  const counts: Record<Fault, number> = { none: 0, fail: 0, delay: 0, loseAnswer: 0 };
  let isStopped = false;
  const commit: Store['commit'] = async (unit) => {
    const fault = isStopped || !mayFail(unit) ? 'none' : choose(random);
    counts[fault]++;
    if (fault === 'fail') throw away('was not stored');
    if (fault === 'delay') await delay(random() * longestDelayMs);
    await store.commit(unit);
    if (fault === 'loseAnswer') throw away('was stored, but its answer is lost');
  };
  // Methods of the store do not use `this`, so a copy with another `commit` works.
  return {
    store: { ...store, commit },
    counts,
    stop: () => {
      isStopped = true;
    },
  };
}

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

const away = (what: string): Error => new AppError('unavailable', `Injected fault: the commit ${what}.`);

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
