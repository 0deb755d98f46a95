import type { Filter, Sort, Store } from '../port/store.ts';

export interface ListTime {
  readonly title: string;
  readonly kind: 'executions' | 'logs' | 'statistics' | 'taskRuns';
  readonly p50Ms: number;
  readonly p95Ms: number;
}

interface Case {
  readonly title: string;
  readonly kind: ListTime['kind'];
  readonly ask: (turn: number) => Promise<unknown>;
}

const filter = (field: string, operation: Filter['operation'], value: Filter['value']): Filter => ({
  field,
  operation,
  value,
});
const day = 86_400_000;

/** Each question is asked with another value in every turn, so that no answer is a repetition. */
export async function listTimes(store: Store, options: { turns: number; now: number }): Promise<ListTime[]> {
  const times: ListTime[] = [];
  for (const { title, kind, ask } of casesOf(store, options.now)) {
    await ask(options.turns);
    const taken: number[] = [];
    for (let turn = 0; turn < options.turns; turn++) {
      const begun = performance.now();
      await ask(turn);
      taken.push(performance.now() - begun);
    }
    taken.sort((a, b) => a - b);
    times.push({ title, kind, p50Ms: quantile(taken, 0.5), p95Ms: quantile(taken, 0.95) });
  }
  return times;
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

function casesOf(store: Store, now: number): Case[] {
  const list =
    (filters: (turn: number) => Filter[], sort?: Sort, page: (turn: number) => number = () => 1) =>
    (turn: number) =>
      store.listExecutions({
        filters: filters(turn),
        page: page(turn),
        size: 25,
        ...(sort === undefined ? {} : { sort: [sort] }),
      });
  const namespace = (turn: number) => filter('namespace', 'EQUALS', `company.team${turn % 50}`);
  const flow = (turn: number) => [namespace(turn), filter('flowId', 'EQUALS', `flow${turn % 50}`)];
  const state = (...states: string[]) => filter('state', 'IN', states);
  const since = (days: number) => filter('startDate', 'GREATER_THAN', now - days * day);
  const label = (turn: number) => filter('labels', 'EQUALS', { team: `team${turn % 20}` });
  const env = filter('labels', 'EQUALS', { env: 'prod' });
  const byDuration: Sort = { field: 'state.duration', descending: true };
  const executions: [string, (turn: number) => Promise<unknown>][] = [
    ['no filter', list(() => [])],
    [
      'no filter, page 20,000',
      list(
        () => [],
        undefined,
        (turn) => 20_000 + turn,
      ),
    ],
    ['namespace', list((turn) => [namespace(turn)])],
    [
      'namespace prefix + state + 30 days',
      list(() => [filter('namespace', 'PREFIX', 'company'), state('FAILED'), since(30)]),
    ],
    ['namespace contains', list((turn) => [filter('namespace', 'CONTAINS', `team${turn % 50}`)])],
    ['state FAILED', list(() => [state('FAILED')])],
    ['states, three', list(() => [state('FAILED', 'WARNING', 'KILLED')])],
    ['not SUCCESS', list(() => [filter('state', 'NOT_EQUALS', 'SUCCESS')])],
    ['flow', list(flow)],
    ['flow id contains', list((turn) => [filter('flowId', 'CONTAINS', `ow${turn % 400}`)])],
    ['scope', list(() => [filter('scope', 'EQUALS', ['USER'])])],
    ['last 7 days', list(() => [since(7)])],
    ['label, 5 % of all', list((turn) => [label(turn)])],
    ['label + state', list((turn) => [label(turn), state('FAILED')])],
    ['label of half + state + namespace', list((turn) => [env, state('SUCCESS'), namespace(turn)])],
    ['label of half + state', list(() => [env, state('FAILED', 'WARNING')])],
    ['two labels', list((turn) => [env, label(turn)])],
    ['label not', list((turn) => [filter('labels', 'NOT_EQUALS', { team: `team${turn % 20}` })])],
    ['label contains', list((turn) => [filter('labels', 'CONTAINS', { team: `m${turn % 20}` })])],
    ['children', list(() => [filter('childFilter', 'EQUALS', 'CHILD')])],
    ['main ones + state', list(() => [filter('childFilter', 'EQUALS', 'MAIN'), state('FAILED')])],
    ['children of one', list((turn) => [filter('triggerExecutionId', 'EQUALS', `e${turn * 10}x`)])],
    ['words: flow', list((turn) => [filter('q', 'EQUALS', `flow${turn % 400}`)])],
    ['words: id', list((turn) => [filter('q', 'EQUALS', `e${1_000 + turn}x`)])],
    ['by duration', list(() => [], byDuration)],
    ['by duration, namespace', list((turn) => [namespace(turn)], byDuration)],
    ['by duration, state + 30 days', list(() => [state('SUCCESS'), since(30)], byDuration)],
    ['by end date', list(() => [], { field: 'state.endDate', descending: true })],
    ['by state', list(() => [], { field: 'state.current', descending: false })],
    ['by flow', list(() => [], { field: 'flowId', descending: false })],
    ['by namespace, ascending', list(() => [], { field: 'namespace', descending: false })],
    ['by id', list(() => [], { field: 'id', descending: true })],
  ];
  const logs = (filters: (turn: number) => Filter[]) => (turn: number) =>
    store.searchLogs({ filters: filters(turn), page: 1, size: 25 });
  const searches: [string, (turn: number) => Promise<unknown>][] = [
    ['logs: no filter', logs(() => [])],
    ['logs: rare word', logs((turn) => [filter('q', 'EQUALS', `customer${turn}`)])],
    ['logs: common word', logs(() => [filter('q', 'EQUALS', 'rows')])],
    ['logs: two words', logs((turn) => [filter('q', 'EQUALS', `timeout ${turn % 977}`)])],
    [
      'logs: word + namespace + level',
      logs((turn) => [filter('q', 'EQUALS', 'timeout'), namespace(turn), filter('level', 'EQUALS', 'WARN')]),
    ],
    ['logs: common word + namespace', logs((turn) => [filter('q', 'EQUALS', 'problem'), namespace(turn)])],
    ['logs: level', logs(() => [filter('level', 'EQUALS', 'ERROR')])],
    ['logs: namespace', logs((turn) => [namespace(turn)])],
    [
      'logs: namespace prefix + level + 7 days',
      logs(() => [filter('namespace', 'PREFIX', 'company'), filter('level', 'EQUALS', 'WARN'), since(7)]),
    ],
  ];
  const window = { from: now - 30 * day, to: now, width: 'day', timeZone: 'Europe/Berlin' } as const;
  const statistics: [string, (turn: number) => Promise<unknown>][] = [
    ['statistics: 30 days', () => store.executionStatistics({ ...window, filters: [] })],
    [
      'statistics: 30 days, namespace prefix',
      () => store.executionStatistics({ ...window, filters: [filter('namespace', 'PREFIX', 'company')] }),
    ],
    [
      'statistics: 30 days, one flow',
      (turn) => store.executionStatistics({ ...window, filters: flow(turn) }),
    ],
    [
      'statistics: 30 days, 25 flows',
      () =>
        store.executionStatistics({
          ...window,
          filters: [],
          groupBy: 'flow',
          flows: Array.from({ length: 25 }, (_, id) => ({ namespace: `company.team${id}`, id: `flow${id}` })),
        }),
    ],
    ['statistics: task runs, 30 days', () => store.taskRunStatistics({ ...window, filters: [] })],
    ['statistics: logs, 30 days', () => store.logStatistics({ ...window, filters: [] })],
    [
      'latest of 25 flows',
      () =>
        store.latestExecutions(
          Array.from({ length: 25 }, (_, id) => ({ namespace: `company.team${id}`, id: `flow${id}` })),
          'end',
        ),
    ],
    [
      'dashboard: namespace × state, 30 days',
      () =>
        store.aggregate({
          ...window,
          subject: 'executions',
          columns: [
            { alias: 'namespace', field: 'NAMESPACE' },
            { alias: 'state', field: 'STATE' },
            { alias: 'n', aggregation: 'COUNT' },
            { alias: 'mean', field: 'DURATION', aggregation: 'AVG' },
          ],
          conditions: [],
        }),
    ],
  ];
  const runs = (filters: (turn: number) => Filter[]) => (turn: number) =>
    store.searchTaskRuns({ filters: filters(turn), page: 1, size: 25 });
  const taskRuns: [string, (turn: number) => Promise<unknown>][] = [
    ['task runs: no filter', runs(() => [])],
    ['task runs: state', runs(() => [state('FAILED')])],
    ['task runs: namespace', runs((turn) => [namespace(turn)])],
    ['task runs: flow + state', runs((turn) => [...flow(turn), state('FAILED')])],
  ];
  const named = (kind: ListTime['kind'], cases: typeof executions): Case[] =>
    cases.map(([title, ask]) => ({ title, kind, ask }));
  return [
    ...named('executions', executions),
    ...named('logs', searches),
    ...named('statistics', statistics),
    ...named('taskRuns', taskRuns),
  ];
}
