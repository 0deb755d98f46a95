import type { Column } from './figures.ts';

export interface Budget {
  readonly id: string;
  readonly title: string;
  readonly unit: '/s' | 'ms' | 's' | 'MB' | 'KB' | '%' | 'fps' | 'requests';
  readonly better: 'higher' | 'lower';
  readonly limits: Partial<Record<Column, number>>;
  /** The published figure of Kestra 1.2 (open source) on four cores with its database on another machine. */
  readonly peer?: number;
}

const both = (limit: number) => ({ SQLite: limit, PostgreSQL: limit });

/**
 * The product's budgets for speed and size, on two cores, including the load generator, with every commit on
 * disk.
 */
export const budgets: readonly Budget[] = [
  row('syncsPerSecond', 'this disk: durable writes', '/s', 'higher', {}),
  row('coreRate', 'this core: small documents', '/s', 'higher', {}),
  row('b1PerSecond', 'B1 sustained, mean < 1 s', '/s', 'higher', { SQLite: 2500, PostgreSQL: 1000 }, 25),
  row('b1P50Ms', 'B1 at 10/s, p50', 'ms', 'lower', { SQLite: 8, PostgreSQL: 15 }, 170),
  row('b1P99Ms', 'B1 at 10/s, p99', 'ms', 'lower', { SQLite: 25, PostgreSQL: 50 }),
  row('remotePerSecond', 'B1, both tasks on a remote worker', '/s', 'higher', { PostgreSQL: 360 }),
  row('remoteP50Ms', 'B1, both tasks on a remote worker, at 10/s, p50', 'ms', 'lower', { PostgreSQL: 35 }),
  row('remoteP99Ms', 'B1, both tasks on a remote worker, at 10/s, p99', 'ms', 'lower', {}),
  row('b2PerSecond', 'B2 sustained, mean < 1 s', '/s', 'higher', { SQLite: 900, PostgreSQL: 350 }, 5),
  row('b3Ms', 'B3, 100 iterations, best of five', 'ms', 'lower', { SQLite: 80, PostgreSQL: 250 }, 5000),
  row('loopSeconds', 'ForEach, 10,000 iterations', 's', 'lower', { SQLite: 6, PostgreSQL: 20 }),
  row('loopGrowth', 'ForEach, an iteration of 10,000 against one of 1,000', '%', 'lower', both(150)),
  row('loopMegabytes', 'ForEach, 10,000 iterations, peak memory', 'MB', 'lower', { SQLite: 400 }),
  row('storagePerSecond', 'B1, storage alone', '/s', 'higher', {}),
  row('eventShare', 'storage alone: rate with events as a share of without', '%', 'higher', {}),
  row('storageShare', 'B1 as a share of storage alone', '%', 'higher', both(25)),
  row('startMs', 'start to healthy, empty', 'ms', 'lower', both(700)),
  row('startFullMs', 'start to healthy, 10,000 flows', 'ms', 'lower', both(2000)),
  row('idleMegabytes', 'idle memory', 'MB', 'lower', both(130), 1000),
  row('idleShare', 'idle processor time', '%', 'lower', both(0.5)),
  row('readersP95Ms', 'lists while 200 read them, p95', 'ms', 'lower', both(60)),
  row('shellPerSecond', 'shell commands ("true")', '/s', 'higher', {}),
  row('shellShare', 'shell commands as a share of bare spawns', '%', 'higher', both(60)),
  row('largeHeapMegabytes', 'beside a large server: its heap', 'MB', 'higher', both(400)),
  row('largeShellShare', 'beside it: shell commands as a share of bare spawns', '%', 'higher', both(60)),
  row('otherLoopP99Ms', 'beside it: the same delay of an idle process, p99', 'ms', 'lower', {}),
  row('largeLoopP99Ms', 'beside it: delay of the event loop meanwhile, p99', 'ms', 'lower', both(20)),
  row('grownPerSecond', 'B1 beside 1,000,000 executions', '/s', 'higher', {}),
  row('b1Growth', 'B1 beside none against B1 beside 1,000,000', '%', 'lower', both(110)),
  row('listP95Ms', 'executions, 1,000,000: slowest list, p95', 'ms', 'lower', both(60)),
  row('taskRunListP95Ms', 'task runs, 2,000,000: slowest list, p95', 'ms', 'lower', both(60)),
  row('logSearchP95Ms', 'logs, 5,000,000: slowest first page, p95', 'ms', 'lower', both(200)),
  row('statisticsP95Ms', 'statistics of 30 days: slowest, p95', 'ms', 'lower', both(60)),
  row('soakMemoryGrowth', 'soak: memory, growth after the warm-up', '%', 'lower', both(10)),
  row('soakHeapGrowth', 'soak: heap after collections, growth', '%', 'lower', both(10)),
  row('soakHandleGrowth', 'soak: open files and sockets, growth', '%', 'lower', both(10)),
  row('soakLagGrowth', 'soak: lag of the loop beyond the machine, growth', '%', 'lower', both(50)),
  row('soakLagMs', 'soak: lag of the loop beyond the machine, p99, middle of all', 'ms', 'lower', {}),
  row('soakMachineLagMs', 'soak: lag of an idle process, p99, middle of all', 'ms', 'lower', {}),
  row('soakDiskGrowth', 'soak: disk per execution, second half against first', '%', 'lower', { SQLite: 15 }),
  row('soakPerSecond', 'soak: executions', '/s', 'higher', {}),
  row('simpleExpressions', 'expressions: one value', '/s', 'higher', { product: 500_000 }),
  row('mixedExpressions', 'expressions: a text with six', '/s', 'higher', { product: 100_000 }),
  row('expressionShare', 'expressions: one value as a share of text without any', '%', 'higher', {}),
  row('webScriptKilobytes', 'web: first page, scripts (gzip)', 'KB', 'lower', { product: 250 }, 2433),
  row('webExecutionKilobytes', 'web: an execution opened directly, scripts (gzip)', 'KB', 'lower', {
    product: 256,
  }),
  row('webStyleKilobytes', 'web: first page, styles (gzip)', 'KB', 'lower', { product: 45 }),
  row('pageListMs', 'page ready: a list of 25, the slower of two', 'ms', 'lower', { product: 600 }),
  row('pageListAgainMs', 'the same opened again, from the cache', 'ms', 'lower', {}),
  row('pageListPressMs', 'from a press in the menu to the other list', 'ms', 'lower', {}),
  row('pageGraphMs', 'page ready: a graph of 1,000 tasks', 'ms', 'lower', { product: 1000 }),
  row('pageLogMs', 'page ready: a log of 100,000 lines', 'ms', 'lower', { product: 500 }),
  row('pageLogFrames', 'the log scrolled from end to end', 'fps', 'higher', { product: 55 }),
  row('pageLoopMs', 'page ready: 10,000 task runs, the slowest of three views', 'ms', 'lower', {
    product: 1000,
  }),
  row('pageTravelMs', '10,000 task runs: from a drag to the moment shown, p95', 'ms', 'lower', {
    product: 100,
  }),
  row('pageTravelFrameMs', '10,000 task runs: frame while dragging, p95', 'ms', 'lower', { product: 100 }),
  row('pageCompareMs', 'page ready: two executions of 10,000 task runs compared', 'ms', 'lower', {
    product: 1500,
  }),
  row('forkMs', 'an execution of 10,000 task runs forked, until the fork ended', 'ms', 'lower', {
    product: 3000,
  }),
  row('pageFollowFrameMs', 'a log of 20,000 lines a second followed: frame, p99', 'ms', 'lower', {
    product: 100,
  }),
  row('pageFollowLines', 'the same: lines a second that were written', '/s', 'higher', {}),
  row('pageEditorMs', 'page ready: the editor', 'ms', 'lower', { product: 1700 }),
  row('pageKeyP95Ms', 'editor: from a key to the graph, p95', 'ms', 'lower', { product: 60 }),
  row('pageLongKeyMs', 'flow of 2,000 lines with its graph: from a key to the text, p95', 'ms', 'lower', {
    product: 50,
  }),
  row('pageGraphFrameMs', 'graph of 1,000 tasks: frame while zooming and moving, p95', 'ms', 'lower', {
    product: 50,
  }),
  row('pageOutsideRequests', 'pages: requests to other hosts', 'requests', 'lower', { product: 0 }),
];

function row(
  id: string,
  title: string,
  unit: Budget['unit'],
  better: Budget['better'],
  limits: Budget['limits'],
  peer?: number,
): Budget {
  return { id, title, unit, better, limits, ...(peer === undefined ? {} : { peer }) };
}
