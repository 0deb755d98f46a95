import { Session } from 'node:inspector';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** A heap with less unused memory than this is not worth collecting. */
const worthwhileBytes = 16 * 1024 * 1024;

/** The first requests after a start do not wait for the collection. */
const afterStartMs = 2_000;

/**
 * V8's memory reducer gives memory back once a process has come to rest: some seconds after a heap has grown by a page it
 * collects twice, in each thread, however little there is to win, and again after the next page. With a heap of 30 MB
 * that is 70 ms of processor time each. So it is left out during the start and works only while there is something to
 * win: after the start and after load, and then until the first collection that has given it back.
 */
export function reduceMemoryWhenWorthwhile(): void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) decide();
  });
  observer.observe({ entryTypes: ['gc'] });
  setTimeout(collectAfterStart, afterStartMs).unref();
}

/**
 * A heap may grow by this share between two full collections. V8 lets a small one grow to four times its size, and a long
 * loop fills that with garbage: each iteration allocates 42 KB, of which two stay.
 */
const heapGrowthPercent = 50;

/** The young generation of the threads that read and store rows. That of the main thread exists already (`nodeFlags.mjs`). */
const threadSemiSpaceMebibytes = 8;

/** Call these before anything is loaded: cached code is only valid for the same V8 flags. */
export function limitHeaps(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  setFlagsFromString(`--max-semi-space-size=${threadSemiSpaceMebibytes}`);
}

export const leaveOutMemoryReducer = (): void => setFlagsFromString('--no-memory-reducer');

/**
 * A third of the memory is garbage of the start. The reducer would wait for the end of a full collection, and the next
 * one of an idle server may be hours away.
 */
function collectAfterStart(): void {
  const session = new Session();
  session.connect();
  // The only way to V8's collection that also gives the pages back, in every version of Node that we support.
  session.post('HeapProfiler.collectGarbage', () => {
    // Not inside the callback: Node would wait forever for the lock that it holds.
    setImmediate(() => session.disconnect());
  });
}

function decide(): void {
  const { total_heap_size: held, used_heap_size: used } = getHeapStatistics();
  if (held - used > worthwhileBytes) setFlagsFromString('--memory-reducer');
  else leaveOutMemoryReducer();
}

/** `as`: entries about collections carry this detail. */
const isMajor = ({ detail }: { readonly detail?: unknown }): boolean =>
  (detail as { kind?: number } | undefined)?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
