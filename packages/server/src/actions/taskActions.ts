import { type ExecutionRecord, isTerminal, type StateType } from '@millrace/contract';
import type { RunEnvironment } from '@millrace/engine';
import type {
  ExecutionFilter,
  LogFilter,
  PluginCatalogue,
  ProductActions,
  PurgeChoice,
  PurgeCounts,
} from '@millrace/plugin-kit';
import type { Filter, Store, StoredLog } from '@millrace/store';
import type { Config } from '../config/schema.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { CreateHost } from '../expressionHost.ts';
import type { InternalStorage } from '../files/internalStorage.ts';
import { executionFolder } from '../files/internalStorage.ts';
import type { LogBuffer } from '../logs/logBuffer.ts';
import { listFilledNamespaces } from '../namespaces/listNamespaces.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Encryption } from '../secrets/encryption.ts';
import { presentLog } from '../views/presentLog.ts';
import type { Worker } from '../worker/worker.ts';
import { deleteExecution } from './deleteExecution.ts';
import { findExecutionFacts } from './executionFacts.ts';
import type { FlowCache } from './flowCache.ts';
import { resumeExecution } from './resumeExecution.ts';
import { switchTrigger } from './switchTrigger.ts';

type Parts = {
  readonly config: Config;
  readonly store: Store;
  readonly flows: FlowCache;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
  readonly scheduler: Scheduler;
  readonly executor: ExecutorPort;
  readonly worker: Worker;
  readonly files: InternalStorage;
  readonly logs: LogBuffer;
  readonly host: CreateHost;
  readonly environment: RunEnvironment;
  readonly encryption: Encryption | undefined;
};

/** The product's actions for tasks. Parts are resolved lazily because some are created later. */
export function createTaskActions(parts: () => Parts): ProductActions {
  return {
    findExecution: (executionId) => findExecutionFacts(executionId, parts()),
    resumeExecution: (executionId, inputs) => resumeExecution(executionId, inputs, parts()),
    hasExecution: async (executionId) => (await parts().store.getExecutionRecord(executionId)) !== undefined,
    countExecutions: async (filter) =>
      (await parts().store.listExecutions({ page: 1, size: 1, filters: executionFilters(filter) })).total,
    purgeExecutions: (filter, choice) => purgeExecutions(filter, choice, parts()),
    fetchLogs: (filter) => fetchLogs(filter, parts()),
    purgeLogs: (filter) => purgeLogs(filter, parts()),
    setTriggerEnabled: async ({ namespace, flowId, id: triggerId }, enabled) => {
      await switchTrigger({ namespace, flowId, triggerId }, { disabled: !enabled }, parts());
    },
    listNamespaces: () => listFilledNamespaces(parts()),
  };
}

const pageSize = 500;

/** Purges only ended executions: a running execution is never old, whenever it began. */
async function purgeExecutions(
  filter: ExecutionFilter,
  choice: PurgeChoice,
  parts: Parts,
): Promise<PurgeCounts> {
  const counts = { executions: 0, logs: 0, metrics: 0, storage: 0 };
  const filters = executionFilters(filter);
  for (let after = 0; ; ) {
    const page = await parts.store.matchStates(filters, after, pageSize);
    for (const { id, state } of page) {
      if (!isTerminal(state)) continue;
      const execution = await parts.store.getExecutionRecord(id);
      if (execution && isTerminal(execution.state.current)) {
        await purgeOne(execution, choice, parts, counts);
      }
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return counts;
    after = last.seq;
  }
}

async function purgeOne(
  execution: ExecutionRecord,
  choice: PurgeChoice,
  parts: Parts,
  counts: { -readonly [K in keyof PurgeCounts]: number },
): Promise<void> {
  const { id } = execution;
  const one = { page: 1, size: 1 };
  if (choice.logs) {
    const filters: Filter[] = [{ field: 'executionId', operation: 'EQUALS', value: id }];
    counts.logs += (await parts.store.searchLogs({ ...one, filters })).total;
  }
  if (choice.metrics) counts.metrics += (await parts.store.searchMetrics({ ...one, executionId: id })).total;
  if (choice.storage) {
    const folder = executionFolder({ ...execution, executionId: id });
    counts.storage += (await parts.files.deleteBelow(folder)).length;
  }
  if (choice.executions) {
    await deleteExecution(id, { logs: choice.logs, metrics: choice.metrics, storage: false }, parts);
    counts.executions++;
    return;
  }
  if (choice.logs) await parts.store.commit([{ op: 'log.delete', selection: { executionId: id } }]);
  if (choice.metrics) await parts.store.commit([{ op: 'metric.delete', executionId: id }]);
}

/** The entries of an execution, oldest first; of a flow or namespace without one. */
async function* fetchLogs(
  filter: LogFilter,
  parts: Parts,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  if (filter.executionId !== undefined) await parts.logs.flush();
  for await (const entry of readLogs(filter, parts)) yield presentLog(entry);
}

async function* readLogs(filter: LogFilter, { store }: Parts): AsyncGenerator<StoredLog> {
  const { executionId, minLevel } = filter;
  if (executionId !== undefined) {
    for (let afterId = 0; ; ) {
      const page = await store.listLogs({
        executionId,
        afterId,
        limit: pageSize,
        ...(minLevel === undefined ? {} : { minLevel }),
      });
      yield* page.filter((entry) => isWanted(entry, filter));
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      afterId = last.id;
    }
  }
  const filters = logFilters(filter);
  for (let after: StoredLog | undefined; ; ) {
    const page = await store.walkLogs({ filters, limit: pageSize, ...(after && { after }) });
    yield* page.filter((entry) => isWanted(entry, filter));
    after = page.at(-1);
    if (!after || page.length < pageSize) return;
  }
}

/** Deletes log entries in batches until none is found. Entries written meanwhile stay. */
async function purgeLogs(filter: LogFilter, { store, clock }: Parts): Promise<number> {
  const untilNow: Filter = { field: 'startDate', operation: 'LESS_THAN_OR_EQUAL_TO', value: clock() };
  const filters = [...logFilters(filter), untilNow];
  for (let count = 0; ; ) {
    const page = await store.walkLogs({ filters, limit: pageSize });
    if (page.length > 0) await store.commit([{ op: 'log.remove', ids: page.map(({ id }) => id) }]);
    count += page.length;
    if (page.length < pageSize) return count;
  }
}

const isWanted = ({ taskId, level }: StoredLog, { taskIds, levels }: LogFilter): boolean =>
  (!taskIds || (taskId !== undefined && taskIds.includes(taskId))) && (!levels || levels.includes(level));

/** A namespace takes those below it along, unless one flow is meant. */
function placeFilters({ namespace, flowId }: { namespace?: string; flowId?: string }): Filter[] {
  const filters: Filter[] = [];
  if (namespace !== undefined) {
    const operation = flowId === undefined ? 'STARTS_WITH' : 'EQUALS';
    filters.push({ field: 'namespace', operation, value: namespace });
  }
  if (flowId !== undefined) filters.push({ field: 'flowId', operation: 'EQUALS', value: flowId });
  return filters;
}

function dateFilters({ startDate, endDate }: { startDate?: string; endDate?: string }): Filter[] {
  const filters: Filter[] = [];
  if (startDate !== undefined)
    filters.push({ field: 'startDate', operation: 'GREATER_THAN_OR_EQUAL_TO', value: startDate });
  if (endDate !== undefined)
    filters.push({ field: 'startDate', operation: 'LESS_THAN_OR_EQUAL_TO', value: endDate });
  return filters;
}

function executionFilters(filter: ExecutionFilter): Filter[] {
  const states: readonly StateType[] | undefined = filter.states;
  return [
    ...placeFilters(filter),
    ...dateFilters(filter),
    ...(states ? [{ field: 'state', operation: 'IN', value: states } as const] : []),
  ];
}

function logFilters(filter: LogFilter): Filter[] {
  return [
    ...placeFilters(filter),
    ...dateFilters(filter),
    ...(filter.minLevel ? [{ field: 'level', operation: 'EQUALS', value: filter.minLevel } as const] : []),
    ...(filter.levels ? [{ field: 'level', operation: 'IN', value: filter.levels } as const] : []),
  ];
}
