import { bulkFlows, type FlowRecord } from '@millrace/contract';
import { setDisabled } from '@millrace/engine';
import type { FastifyInstance } from 'fastify';
import { deleteFlow } from '../../actions/deleteFlow.ts';
import { findFlow } from '../../actions/findFlow.ts';
import { forEachWithProgress } from '../../actions/progress.ts';
import { updateFlow } from '../../actions/saveFlow.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { flowsOf } from './flowTransfer.ts';

type Key = { readonly namespace: string; readonly id: string };

export function mountBulkFlows(app: FastifyInstance, product: Product): void {
  /** All of them are there before anything happens to one. */
  const findAll = async (keys: readonly Key[]): Promise<FlowRecord[]> =>
    (await Promise.all(keys.map((key) => findFlow(product, key)))).map(({ record }) => record);
  const turn = async (records: readonly FlowRecord[], disabled: boolean) => {
    const changing = records.filter((record) => record.disabled !== disabled);
    const count = await forEachWithProgress(changing, async (record) => {
      await updateFlow(record, setDisabled(record.source, disabled), product);
      return true;
    });
    return { count };
  };
  const remove = async (records: readonly FlowRecord[]) => {
    const count = await forEachWithProgress(records, async (record) => {
      await deleteFlow(record, product);
      return true;
    });
    return { count };
  };

  mount(app, bulkFlows.disableFlowsByIds, async ({ body }) => turn(await findAll(body), true));
  mount(app, bulkFlows.enableFlowsByIds, async ({ body }) => turn(await findAll(body), false));
  mount(app, bulkFlows.deleteFlowsByIds, async ({ body }) => remove(await findAll(body)));
  mount(app, bulkFlows.disableFlowsByQuery, async ({ request }) =>
    turn(await flowsOf(request, product), true),
  );
  mount(app, bulkFlows.enableFlowsByQuery, async ({ request }) =>
    turn(await flowsOf(request, product), false),
  );
  mount(app, bulkFlows.deleteFlowsByQuery, async ({ request }) => remove(await flowsOf(request, product)));
}
