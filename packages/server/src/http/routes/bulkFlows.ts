import { AppError, bulkFlows, type FlowRecord } from '@millrace/contract';
import { setDisabled } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import { deleteFlow } from '../../actions/deleteFlow.ts';
import { findFlow } from '../../actions/findFlow.ts';
import { forEachWithProgress } from '../../actions/progress.ts';
import { updateFlow } from '../../actions/saveFlow.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { authorOf } from './flows.ts';
import { flowsOf } from './flowTransfer.ts';

type Key = { readonly namespace: string; readonly id: string };

export function mountBulkFlows(app: FastifyInstance, product: Product): void {
  /** All of them are there before anything happens to one. */
  const findAll = async (keys: readonly Key[]): Promise<FlowRecord[]> =>
    (await Promise.all(keys.map((key) => findFlow(product, key)))).map(({ record }) => record);
  const turn = async (records: readonly FlowRecord[], disabled: boolean, author: string | undefined) => {
    const changing = records.filter((record) => record.disabled !== disabled);
    if (!disabled) refuseUnknownTypes(changing, product);
    const count = await forEachWithProgress(changing, async (record) => {
      const options = { keepUnknownTypes: disabled, author };
      await updateFlow(record, setDisabled(record.source, disabled), product, options);
      return true;
    });
    return { count };
  };
  const remove = async (records: readonly FlowRecord[], author: string | undefined) => {
    const count = await forEachWithProgress(records, async (record) => {
      await deleteFlow(record, product, author);
      return true;
    });
    return { count };
  };

  mount(app, bulkFlows.disableFlowsByIds, async ({ body, request }) =>
    turn(await findAll(body), true, authorOf(request)),
  );
  mount(app, bulkFlows.enableFlowsByIds, async ({ body, request }) =>
    turn(await findAll(body), false, authorOf(request)),
  );
  mount(app, bulkFlows.deleteFlowsByIds, async ({ body, request }) =>
    remove(await findAll(body), authorOf(request)),
  );
  mount(app, bulkFlows.disableFlowsByQuery, async ({ request }) =>
    turn(await flowsOf(request, product), true, authorOf(request)),
  );
  mount(app, bulkFlows.enableFlowsByQuery, async ({ request }) =>
    turn(await flowsOf(request, product), false, authorOf(request)),
  );
  mount(app, bulkFlows.deleteFlowsByQuery, async ({ request }) =>
    remove(await flowsOf(request, product), authorOf(request)),
  );
}

/** Refuses to enable any of the flows when one of them lacks a plugin. */
function refuseUnknownTypes(records: readonly FlowRecord[], { flows }: Pick<Product, 'flows'>): void {
  for (const record of records) {
    const { unknownTypes } = flows.read(record);
    if (!unknownTypes) continue;
    const message = `the flow "${record.id}" of "${record.namespace}" cannot be enabled: no plugin provides ${unknownTypes.join(', ')}`;
    throw new AppError('illegal-state', message);
  }
}
