import { type Execution, type LogEntry, mainTenant, type TaskRun, tables } from '@millrace/contract';
import { presentExecution, presentTaskRun } from '@millrace/engine';
import type { Filter, StoredLog } from '@millrace/store';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { sendCsv } from '../../views/csv.ts';
import { sendJsonList } from '../../views/jsonList.ts';
import { presentLog } from '../../views/presentLog.ts';
import { allOf, filtersOf, mapped } from '../exportRows.ts';
import { mount } from '../mount.ts';
import { toPageQuery } from '../paging.ts';

/** Lists of executions, task runs and logs as files. Pages are read while the response is sent. */
export function mountExports(app: FastifyInstance, product: Product): void {
  const { store, clock } = product;
  type Sorted = { readonly sort?: string[] | undefined };
  const sortOf = ({ sort }: Sorted) => toPageQuery({ page: 1, size: 1, sort }).sort;

  const executions = (filters: Filter[], query: Sorted): AsyncIterable<Execution> =>
    mapped(
      allOf(
        (page) => store.listExecutions({ ...page, filters }),
        ({ execution }) => execution.id,
        sortOf(query),
      ),
      ({ execution }) => {
        const { taskRunList: _, ...view } = presentExecution(execution, [], clock());
        return view;
      },
    );
  mount(app, tables.exportExecutionsAsCsv, async ({ request, reply, query }) =>
    sendTable(
      reply,
      { name: 'executions', table: executionTable, bom: query.bom },
      executions(filtersOf(request, 'execution', product), query),
    ),
  );
  mount(app, tables.exportExecutionsAsJson, async ({ request, reply, query }) =>
    sendJsonList(reply, 'executions.json', executions(filtersOf(request, 'execution', product), query)),
  );

  const taskRuns = (filters: Filter[], query: Sorted): AsyncIterable<TaskRun> =>
    mapped(
      allOf(
        (page) => store.searchTaskRuns({ ...page, filters }),
        ({ taskRun }) => `${taskRun.executionId} ${taskRun.id}`,
        sortOf(query),
      ),
      ({ taskRun, namespace, flowId }) =>
        presentTaskRun(taskRun, { tenantId: mainTenant, namespace, flowId }, clock()),
    );
  mount(app, tables.exportTaskRunsAsCsv, async ({ request, reply, query }) =>
    sendTable(
      reply,
      { name: 'taskruns', table: taskRunTable, bom: query.bom },
      taskRuns(filtersOf(request, 'task', product), query),
    ),
  );
  mount(app, tables.exportTaskRunsAsJson, async ({ request, reply, query }) =>
    sendJsonList(reply, 'taskruns.json', taskRuns(filtersOf(request, 'task', product), query)),
  );

  const logs = (filters: Filter[]): AsyncIterable<LogEntry> => mapped(allLogs(filters, product), presentLog);
  mount(app, tables.exportLogsAsCsv, async ({ request, reply, query }) =>
    sendTable(
      reply,
      { name: 'logs', table: logTable, bom: query.bom },
      logs(filtersOf(request, 'log', product)),
    ),
  );
  mount(app, tables.exportLogsAsJson, async ({ request, reply }) =>
    sendJsonList(reply, 'logs.json', logs(filtersOf(request, 'log', product))),
  );
}

const logPageSize = 2_000;

async function* allLogs(filters: Filter[], { store }: Product): AsyncGenerator<StoredLog> {
  for (let after: StoredLog | undefined; ; ) {
    const entries = await store.walkLogs({ filters, limit: logPageSize, ...(after ? { after } : {}) });
    yield* entries;
    if (entries.length < logPageSize) return;
    after = entries.at(-1);
  }
}

/** A table is its columns, each with the value that it takes from a row. */
type Table<T> = Readonly<Record<string, (row: T) => unknown>>;

const executionTable: Table<Execution> = {
  id: ({ id }) => id,
  namespace: ({ namespace }) => namespace,
  flowId: ({ flowId }) => flowId,
  flowRevision: ({ flowRevision }) => flowRevision,
  state: ({ state }) => state.current,
  startDate: ({ state }) => state.startDate,
  endDate: ({ state }) => state.endDate,
  duration: ({ state }) => state.duration,
  labels: ({ labels }) => labels,
  inputs: ({ inputs }) => inputs,
  trigger: ({ trigger }) => trigger,
  outputs: ({ outputs }) => outputs,
};

const taskRunTable: Table<TaskRun> = {
  id: ({ id }) => id,
  executionId: ({ executionId }) => executionId,
  namespace: ({ namespace }) => namespace,
  flowId: ({ flowId }) => flowId,
  taskId: ({ taskId }) => taskId,
  value: ({ value }) => value,
  state: ({ state }) => state.current,
  startDate: ({ state }) => state.startDate,
  endDate: ({ state }) => state.endDate,
  duration: ({ state }) => state.duration,
  attempts: ({ attempts }) => attempts?.length ?? 0,
  parentTaskRunId: ({ parentTaskRunId }) => parentTaskRunId,
  outputs: ({ outputs }) => outputs,
};

const logTable: Table<LogEntry> = {
  timestamp: ({ timestamp }) => timestamp,
  level: ({ level }) => level,
  namespace: ({ namespace }) => namespace,
  flowId: ({ flowId }) => flowId,
  executionId: ({ executionId }) => executionId,
  taskId: ({ taskId }) => taskId,
  taskRunId: ({ taskRunId }) => taskRunId,
  attemptNumber: ({ attemptNumber }) => attemptNumber,
  triggerId: ({ triggerId }) => triggerId,
  message: ({ message }) => message,
};

interface TableFile<T> {
  readonly name: string;
  readonly table: Table<T>;
  readonly bom: boolean;
}

function sendTable<T>(reply: FastifyReply, { name, table, bom }: TableFile<T>, rows: AsyncIterable<T>): void {
  const columns = Object.values(table);
  const cells = mapped(rows, (row) => columns.map((cellOf) => cellOf(row)));
  sendCsv(reply, { fileName: `${name}.csv`, columns: Object.keys(table), bom }, cells);
}
