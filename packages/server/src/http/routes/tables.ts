import { tables } from '@millrace/contract';
import type { FastifyInstance } from 'fastify';
import type { Product } from '../../product.ts';
import { sendCsv } from '../../views/csv.ts';
import { allOf, filtersOf, mapped } from '../exportRows.ts';
import { mount } from '../mount.ts';

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

/** Flows and triggers as tables for spreadsheets. Pages are read while the response is sent. */
export function mountTables(app: FastifyInstance, product: Product): void {
  const { store } = product;

  mount(app, tables.exportFlowsAsCsv, async ({ request, reply, query }) => {
    const filters = filtersOf(request, 'flow', product);
    const rows = allOf((page) => store.listFlows({ ...page, filters }), keyOf);
    sendCsv(
      reply,
      { fileName: 'flows.csv', columns: flowColumns, bom: query.bom },
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

  mount(app, tables.exportTriggersAsCsv, async ({ request, reply, query }) => {
    const filters = filtersOf(request, 'trigger', product);
    const rows = allOf((page) => store.listTriggers({ ...page, filters }), keyOf);
    sendCsv(
      reply,
      { fileName: 'triggers.csv', columns: triggerColumns, bom: query.bom },
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

const keyOf = (row: {
  readonly namespace: string;
  readonly id?: string;
  readonly flowId?: string;
  readonly triggerId?: string;
}): string => JSON.stringify([row.namespace, row.id, row.flowId, row.triggerId]);
