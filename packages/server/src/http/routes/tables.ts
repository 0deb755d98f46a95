import { tables } from '@millrace/contract';
import { presentExecution } from '@millrace/engine';
import type { Filter, Page, PageQuery } from '@millrace/store';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Product } from '../../product.ts';
import { sendCsv } from '../csv.ts';
import { type FilterResource, readFilters } from '../filters.ts';
import { mount } from '../mount.ts';
import type { QueryValues } from '../query.ts';

const executionColumns = [
  'id',
  'namespace',
  'flowId',
  'flowRevision',
  'state',
  'startDate',
  'endDate',
  'duration',
  'labels',
  'inputs',
  'trigger',
];
const flowColumns = ['id', 'namespace', 'revision', 'description', 'labels', 'disabled', 'updated'];
const triggerColumns = [
  'namespace',
  'flowId',
  'triggerId',
  'type',
  'disabled',
  'nextExecutionDate',
  'executionId',
];

/** The lists as tables for spreadsheets. Pages are read while the answer is sent. */
export function mountTables(app: FastifyInstance, product: Product): void {
  const { store, clock } = product;

  mount(app, tables.exportExecutionsAsCsv, async ({ request, reply }) => {
    const filters = filtersOf(request, 'execution', product);
    const rows = allOf((page) => store.listExecutions({ ...page, filters }));
    const toRow = ({ execution }: Awaited<ReturnType<typeof store.listExecutions>>['results'][number]) => {
      const { state, ...view } = presentExecution(execution, [], clock());
      const { id, namespace, flowId, flowRevision, labels, inputs, trigger } = view;
      const { current, startDate, endDate, duration } = state;
      return [
        id,
        namespace,
        flowId,
        flowRevision,
        current,
        startDate,
        endDate,
        duration,
        labels,
        inputs,
        trigger,
      ];
    };
    sendCsv(reply, 'executions.csv', executionColumns, mapped(rows, toRow));
  });

  mount(app, tables.exportFlowsAsCsv, async ({ request, reply }) => {
    const filters = filtersOf(request, 'flow', product);
    const rows = allOf((page) => store.listFlows({ ...page, filters }));
    sendCsv(
      reply,
      'flows.csv',
      flowColumns,
      mapped(rows, ({ id, namespace, revision, description, labels, disabled, updatedAt }) => [
        id,
        namespace,
        revision,
        description,
        labels,
        disabled,
        new Date(updatedAt).toISOString(),
      ]),
    );
  });

  mount(app, tables.exportTriggersAsCsv, async ({ request, reply }) => {
    const filters = filtersOf(request, 'trigger', product);
    const rows = allOf((page) => store.listTriggers({ ...page, filters }));
    sendCsv(
      reply,
      'triggers.csv',
      triggerColumns,
      mapped(rows, ({ namespace, flowId, triggerId, type, disabled, nextAt, executionId }) => [
        namespace,
        flowId,
        triggerId,
        type,
        disabled,
        nextAt === undefined ? undefined : new Date(nextAt).toISOString(),
        executionId,
      ]),
    );
  });
}

const size = 500;

async function* allOf<T>(read: (page: PageQuery) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let page = 1; ; page++) {
    const { results } = await read({ page, size });
    yield* results;
    if (results.length < size) return;
  }
}

async function* mapped<T>(items: AsyncIterable<T>, toRow: (item: T) => unknown[]): AsyncGenerator<unknown[]> {
  for await (const item of items) yield toRow(item);
}

const filtersOf = (request: FastifyRequest, resource: FilterResource, { clock, config }: Product): Filter[] =>
  readFilters(request.query as QueryValues, resource, {
    now: clock(),
    systemNamespace: config.systemNamespace,
  });
