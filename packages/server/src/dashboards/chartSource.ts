import { AppError } from '@millrace/contract';
import { type OutboundClient, type PluginCatalogue, readInput } from '@millrace/plugin-kit';
import {
  type AggregateQuery,
  type AggregateRow,
  type AggregateSubject,
  aggregateFields,
  aggregateRows,
  type Page,
  type PlainRow,
  type Store,
} from '@millrace/store';
import type { TypeConfigurations } from '../plugins/configurations.ts';
import { presentTrigger } from '../views/presentTrigger.ts';
import type { ChartData } from './chartData.ts';

export interface SourceParts {
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly outbound: OutboundClient;
  readonly configurations: TypeConfigurations;
}

export type SourceQuery = Omit<AggregateQuery, 'subject'>;

/** Where the rows of a chart come from. */
export interface ChartSource {
  /** The fields that a viewer may filter by. */
  readonly fields: readonly string[];
  aggregate(query: SourceQuery): Promise<Page<AggregateRow>>;
}

const subjects: Readonly<Record<string, AggregateSubject>> = {
  Executions: 'executions',
  Logs: 'logs',
  Metrics: 'metrics',
};

/** The timeout for the rows of a plugin, because the viewer of a dashboard waits. */
const longestMs = 30_000;

export function sourceOf({ definition, written }: ChartData, parts: SourceParts): ChartSource {
  const { type, fields, rows } = definition;
  if (rows) {
    const own = Object.fromEntries(Object.entries(written).filter(([name]) => !common.has(name)));
    const input = () => readInput(type, definition.input.omit(commonShape(definition.input.shape)), own);
    return {
      fields,
      aggregate: async (query) =>
        aggregateRows(await rowsOf(type, query, (context) => rows(context, input()), parts), query),
    };
  }
  const name = type.split('.').at(-1)?.replace(/KPI$/, '') ?? '';
  const subject = subjects[name];
  if (subject)
    return {
      fields: aggregateFields[subject],
      aggregate: (query) => parts.store.aggregate({ ...query, subject }),
    };
  const kept = name === 'Flows' ? flowRows : triggerRows;
  return { fields, aggregate: (query) => aggregateRows(kept(parts.store), query) };
}

/** Seen to by us for every kind of data. */
const common = new Set(['columns', 'where', 'orderBy', 'numerator']);
const commonShape = (shape: object): Record<string, true> =>
  Object.fromEntries(Object.keys(shape).flatMap((name) => (common.has(name) ? [[name, true]] : [])));

type Rows = AsyncIterable<PlainRow> | Iterable<PlainRow>;
type Ask = (
  context: Parameters<NonNullable<ChartData['definition']['rows']>>[0],
) => AsyncIterable<PlainRow> | Promise<Iterable<PlainRow>>;

async function rowsOf(type: string, { from, to }: SourceQuery, ask: Ask, parts: SourceParts): Promise<Rows> {
  const signal = AbortSignal.timeout(longestMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(
        new AppError('unavailable', `the data "${type}" did not come within ${longestMs / 1000} seconds`),
      ),
    );
  });
  const rows = await Promise.race([
    ask({
      from: new Date(from),
      to: new Date(to),
      signal,
      fetch: (request) => parts.outbound.send({ ...request, signal: request.signal ?? signal }),
      configuration: (name) => parts.configurations.of(name),
    }),
    late,
  ]);
  return Symbol.asyncIterator in rows ? untilLate(rows, late) : rows;
}

async function* untilLate(rows: AsyncIterable<PlainRow>, late: Promise<never>): AsyncGenerator<PlainRow> {
  const iterator = rows[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([iterator.next(), late]);
    if (next.done) return;
    yield next.value;
  }
}

const pageSize = 1_000;

async function* flowRows(store: Store): AsyncGenerator<PlainRow> {
  for (let page = 1; ; page++) {
    const { results } = await store.listFlows({ filters: [], page, size: pageSize });
    for (const { id, namespace, revision } of results)
      yield { ID: id, NAMESPACE: namespace, REVISION: revision };
    if (results.length < pageSize) return;
  }
}

async function* triggerRows(store: Store): AsyncGenerator<PlainRow> {
  for (let page = 1; ; page++) {
    const { results } = await store.listTriggers({ filters: [], page, size: pageSize });
    for (const row of results) {
      const { namespace, flowId, triggerId } = row;
      const { executionId, nextExecutionDate, workerId } = presentTrigger(row, undefined, row.updatedAt);
      yield {
        ID: `${namespace}_${flowId}_${triggerId}`,
        NAMESPACE: namespace,
        FLOW_ID: flowId,
        TRIGGER_ID: triggerId,
        EXECUTION_ID: executionId,
        NEXT_EXECUTION_DATE: nextExecutionDate === undefined ? undefined : new Date(nextExecutionDate),
        WORKER_ID: workerId,
      };
    }
    if (results.length < pageSize) return;
  }
}
