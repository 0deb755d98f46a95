import type { Filter, Sort, Store } from '@millrace/store';

export type ListKind = 'executions' | 'logs' | 'statistics' | 'taskRuns';

export interface ListCase {
  readonly title: string;
  readonly kind: ListKind;
  /** Runs a different query in every turn where possible, so that no result is cached. */
  readonly ask: (store: Store, turn: number) => Promise<unknown>;
}

type Filters = (turn: number) => Filter[];

const day = 86_400_000;
const filter = (field: string, operation: Filter['operation'], value: Filter['value']): Filter => ({
  field,
  operation,
  value,
});
const namespace = (turn: number) => filter('namespace', 'EQUALS', `company.team${turn % 50}`);
const flow = (turn: number) => [namespace(turn), filter('flowId', 'EQUALS', `flow${turn % 50}`)];
const state = (...states: string[]) => filter('state', 'IN', states);
const label = (key: string, value: string) => filter('labels', 'EQUALS', { [key]: value });
const team = (turn: number) => label('team', `team${turn % 20}`);
const env = (turn: number) => label('env', ['prod', 'dev', 'staging'][turn % 3] ?? 'prod');
const customer = (turn: number) => label('customer', `customer${(turn * 37) % 2000}`);
const badState = (turn: number) => state(['FAILED', 'WARNING', 'KILLED'][turn % 3] ?? 'FAILED');

/** `ids` are those of some executions; see `fillStatements` for the contents of the database. */
export function listCases(now: number, ids: readonly string[]): ListCase[] {
  const since = (days: number, turn = 0) =>
    filter('startDate', 'GREATER_THAN', now - days * day - turn * 60_000);
  const idOf = (turn: number): string => ids[turn % ids.length] ?? '';
  return [
    ...named(
      'executions',
      executionQuestions(since, idOf),
      ({ filters, sort, page }) =>
        (store, turn) =>
          store.listExecutions({
            filters: filters(turn),
            page: page?.(turn) ?? 1,
            size: 25,
            ...(sort === undefined ? {} : { sort: [sort] }),
          }),
    ),
    ...named(
      'logs',
      logQuestions(since, idOf),
      ({ filters }) =>
        (store, turn) =>
          store.searchLogs({ filters: filters(turn), page: 1, size: 25 }),
    ),
    ...statistics(now),
    ...named(
      'taskRuns',
      taskRunQuestions,
      ({ filters }) =>
        (store, turn) =>
          store.searchTaskRuns({ filters: filters(turn), page: 1, size: 25 }),
    ),
  ];
}

interface Question {
  readonly filters: Filters;
  readonly sort?: Sort;
  readonly page?: (turn: number) => number;
}

function named(
  kind: ListKind,
  questions: Readonly<Record<string, Filters | Question>>,
  asking: (question: Question) => ListCase['ask'],
): ListCase[] {
  return Object.entries(questions).map(([title, question]) => ({
    title,
    kind,
    ask: asking(typeof question === 'function' ? { filters: question } : question),
  }));
}

type Since = (days: number, turn?: number) => Filter;
type IdOf = (turn: number) => string;

function executionQuestions(since: Since, idOf: IdOf): Record<string, Filters | Question> {
  const sorted = (filters: Filters, field: string, descending: boolean): Question => ({
    filters,
    sort: { field, descending },
  });
  return {
    'no filter': () => [],
    'no filter, page 20,000': { filters: () => [], page: (turn) => 20_000 + turn },
    namespace: (turn) => [namespace(turn)],
    'namespace prefix + state + 30 days': (turn) => [
      filter('namespace', 'PREFIX', 'company'),
      badState(turn),
      since(30, turn),
    ],
    'namespace contains': (turn) => [filter('namespace', 'CONTAINS', `team${turn % 50}`)],
    state: (turn) => [badState(turn)],
    'states, three': () => [state('FAILED', 'WARNING', 'KILLED')],
    'state not': (turn) => [filter('state', 'NOT_EQUALS', turn % 2 === 0 ? 'SUCCESS' : 'FAILED')],
    flow: (turn) => flow(turn),
    'flow in any namespace': (turn) => [filter('flowId', 'EQUALS', `flow${turn % 400}`)],
    'flow id contains': (turn) => [filter('flowId', 'CONTAINS', `ow${turn % 400}`)],
    scope: () => [filter('scope', 'EQUALS', ['USER'])],
    'last 7 days': (turn) => [since(7, turn)],
    'label of a twentieth': (turn) => [team(turn)],
    'label of half': (turn) => [env(turn)],
    'label of few': (turn) => [customer(turn)],
    'label + state': (turn) => [team(turn), badState(turn)],
    'label + rare state': (turn) => [team(turn), state('PAUSED')],
    'label of half + state + namespace': (turn) => [env(turn), state('SUCCESS'), namespace(turn)],
    'label of half + states': (turn) => [env(turn), state('FAILED', 'WARNING')],
    'label of half + 7 days': (turn) => [env(turn), since(7, turn)],
    'label + namespace without a match': (turn) => [team(turn), namespace(turn + 1)],
    'two labels': (turn) => [env(turn), team(turn)],
    'two labels, one of few': (turn) => [env(turn), customer(turn)],
    'two labels without a match': (turn) => [team(turn), label('team', `team${(turn + 1) % 20}`)],
    'label one of': (turn) => [
      filter('labels', 'IN', { team: [`team${turn % 20}`, `team${(turn + 7) % 20}`], env: 'staging' }),
    ],
    'label one of few': (turn) => [
      filter('labels', 'IN', { customer: [`customer${turn}`, `customer${turn + 500}`] }),
    ],
    'label not': (turn) => [filter('labels', 'NOT_EQUALS', { team: `team${turn % 20}` })],
    'label contains': (turn) => [filter('labels', 'CONTAINS', { team: `m${turn % 20}` })],
    'label contains, few': (turn) => [filter('labels', 'CONTAINS', { customer: `r${100 + turn}` })],
    children: (turn) => [
      filter('childFilter', 'EQUALS', 'CHILD'),
      ...(turn % 2 === 0 ? [] : [since(60, turn)]),
    ],
    'main ones + state': (turn) => [filter('childFilter', 'EQUALS', 'MAIN'), badState(turn)],
    'children of one': (turn) => [filter('triggerExecutionId', 'EQUALS', idOf(turn))],
    'words: flow': (turn) => [filter('q', 'EQUALS', `flow${turn % 400}`)],
    'words: namespace and flow': (turn) => [filter('q', 'EQUALS', `team${turn % 50} flow${turn % 50}`)],
    'words: id': (turn) => [filter('q', 'EQUALS', idOf(turn))],
    'words: beginning of an id': (turn) => [filter('q', 'EQUALS', idOf(turn).slice(0, 9))],
    'by duration': sorted(() => [], 'state.duration', true),
    'by duration, namespace': sorted((turn) => [namespace(turn)], 'state.duration', true),
    'by duration, state + 30 days': sorted(
      (turn) => [state('SUCCESS'), since(30, turn)],
      'state.duration',
      true,
    ),
    'by duration, label': sorted((turn) => [team(turn)], 'state.duration', true),
    'by duration, two labels': sorted(
      (turn) => [team(turn), label('env', 'staging')],
      'state.duration',
      true,
    ),
    'by end date': sorted(() => [], 'state.endDate', true),
    'by state': sorted(() => [], 'state.current', false),
    'by flow': sorted(() => [], 'flowId', false),
    'by flow, descending, state': sorted((turn) => [badState(turn)], 'flowId', true),
    'by flow, namespace': sorted((turn) => [namespace(turn)], 'flowId', false),
    'by namespace': sorted(() => [], 'namespace', false),
    'by namespace, label': sorted((turn) => [env(turn)], 'namespace', false),
    'by id': sorted(() => [], 'id', true),
  };
}

const words = (text: string) => filter('q', 'EQUALS', text);

function logQuestions(since: Since, idOf: IdOf): Record<string, Filters> {
  return {
    'logs: no filter': () => [],
    'logs: rare word': (turn) => [words(`customer${10_000 + turn * 331}`)],
    'logs: beginning of many words': (turn) => [words(`customer${turn % 5 === 0 ? 12 : 10 + turn}`)],
    'logs: word in no line': (turn) => [words(`nobody${turn}`)],
    'logs: common word': (turn) => [
      words(['rows', 'problem', 'table', 'without', 'read'][turn % 5] ?? 'rows'),
    ],
    'logs: word of a few per cent': (turn) => [words(['timeout', 'slow', 'connecting'][turn % 3] ?? 'slow')],
    'logs: one in five thousand': (turn) => [words(`disk host${turn % 31}`)],
    'logs: two words': (turn) => [words(`timeout ${turn % 977}`)],
    'logs: id of an execution': (turn) => [words(idOf(turn))],
    'logs: word + namespace + level': (turn) => [
      words('timeout'),
      namespace(turn),
      filter('level', 'EQUALS', 'WARN'),
    ],
    'logs: common word + namespace': (turn) => [words('problem'), namespace(turn)],
    'logs: rare word + 30 to 60 days ago': (turn) => [
      words(`customer${10_000 + turn * 331}`),
      since(60),
      { ...since(30), field: 'endDate', operation: 'LESS_THAN' },
    ],
    'logs: level': (turn) => [filter('level', 'EQUALS', turn % 2 === 0 ? 'ERROR' : 'WARN')],
    'logs: namespace': (turn) => [namespace(turn)],
    'logs: flow': (turn) => flow(turn),
    'logs: namespace prefix + level + 7 days': (turn) => [
      filter('namespace', 'PREFIX', 'company'),
      filter('level', 'EQUALS', 'WARN'),
      since(7, turn),
    ],
  };
}

const taskRunQuestions: Record<string, Filters> = {
  'task runs: no filter': () => [],
  'task runs: state': (turn) => [badState(turn)],
  'task runs: namespace': (turn) => [namespace(turn)],
  'task runs: flow + state': (turn) => [...flow(turn), badState(turn)],
  'task runs: label': (turn) => [team(turn)],
};

function statistics(now: number): ListCase[] {
  const window = (turn: number) =>
    ({ from: now - 30 * day - turn * 3_600_000, to: now, width: 'day', timeZone: 'Europe/Berlin' }) as const;
  const flows = (turn: number) =>
    Array.from({ length: 25 }, (_, i) => ({
      namespace: `company.team${(i + turn) % 50}`,
      id: `flow${(i + turn) % 50}`,
    }));
  const company = [filter('namespace', 'PREFIX', 'company')];
  const asks: Record<string, ListCase['ask']> = {
    'statistics: 30 days': (store, turn) => store.executionStatistics({ ...window(turn), filters: [] }),
    'statistics: 30 days, namespace prefix': (store, turn) =>
      store.executionStatistics({ ...window(turn), filters: company }),
    'statistics: 30 days, one flow': (store, turn) =>
      store.executionStatistics({ ...window(turn), filters: flow(turn) }),
    'statistics: 30 days, 25 flows': (store, turn) =>
      store.executionStatistics({ ...window(turn), filters: [], groupBy: 'flow', flows: flows(turn) }),
    'statistics: task runs, 30 days': (store, turn) =>
      store.taskRunStatistics({ ...window(turn), filters: [] }),
    'statistics: logs, 30 days': (store, turn) => store.logStatistics({ ...window(turn), filters: [] }),
    'statistics: logs, namespace': (store, turn) =>
      store.logStatistics({ ...window(turn), filters: [namespace(turn)] }),
    'latest of 25 flows': (store, turn) => store.latestExecutions(flows(turn), 'end'),
    'dashboard: namespace × state, 30 days': (store, turn) =>
      store.aggregate({
        ...window(turn),
        subject: 'executions',
        columns: [
          { alias: 'namespace', field: 'NAMESPACE' },
          { alias: 'state', field: 'STATE' },
          { alias: 'n', aggregation: 'COUNT' },
          { alias: 'mean', field: 'DURATION', aggregation: 'AVG' },
        ],
        conditions: [],
      }),
  };
  return Object.entries(asks).map(([title, ask]) => ({ title, kind: 'statistics', ask }));
}
