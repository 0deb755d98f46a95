import { AppError, bulkFlows, type FlowRecord } from '@millrace/contract';
import { setDisabled } from '@millrace/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { deleteFlow } from '../../actions/deleteFlow.ts';
import { findFlow } from '../../actions/findFlow.ts';
import { actOnItems } from '../../actions/longAction.ts';
import { updateFlow } from '../../actions/saveFlow.ts';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';
import { authorOf } from './flows.ts';
import { flowsOf } from './flowTransfer.ts';

type Key = { readonly namespace: string; readonly id: string };

export function mountBulkFlows(app: FastifyInstance, product: Product): void {
  type Choose = () => Promise<readonly FlowRecord[]>;
  /** All of them are there before anything happens to one. */
  const byIds =
    (keys: readonly Key[]): Choose =>
    async () =>
      (await Promise.all(keys.map((key) => findFlow(product, key)))).map(({ record }) => record);
  const byQuery =
    (request: FastifyRequest): Choose =>
    () =>
      flowsOf(request, product);
  const turn = async (choose: Choose, disabled: boolean, author: string | undefined) => ({
    count: await actOnItems({
      choose: async () => {
        const changing = (await choose()).filter((record) => record.disabled !== disabled);
        if (!disabled) refuseUnknownTypes(changing, product);
        return changing.map(keyOf);
      },
      act: async (key) => {
        const { record } = await findFlow(product, key);
        const options = { keepUnknownTypes: disabled, author };
        await updateFlow(record, setDisabled(record.source, disabled), product, options);
        return true;
      },
      wasDone: async ({ namespace, id }) => {
        const record = await product.store.getFlow(namespace, id);
        return !record || record.deleted || record.disabled === disabled;
      },
    }),
  });
  const remove = async (choose: Choose, author: string | undefined) => ({
    count: await actOnItems({
      choose: async () => (await choose()).map(keyOf),
      act: async (key) => {
        await deleteFlow(key, product, author);
        return true;
      },
      wasDone: async ({ namespace, id }) => {
        const record = await product.store.getFlow(namespace, id);
        return !record || record.deleted;
      },
    }),
  });

  mount(app, bulkFlows.disableFlowsByIds, ({ body, request }) => turn(byIds(body), true, authorOf(request)));
  mount(app, bulkFlows.enableFlowsByIds, ({ body, request }) => turn(byIds(body), false, authorOf(request)));
  mount(app, bulkFlows.deleteFlowsByIds, ({ body, request }) => remove(byIds(body), authorOf(request)));
  mount(app, bulkFlows.disableFlowsByQuery, ({ request }) => turn(byQuery(request), true, authorOf(request)));
  mount(app, bulkFlows.enableFlowsByQuery, ({ request }) => turn(byQuery(request), false, authorOf(request)));
  mount(app, bulkFlows.deleteFlowsByQuery, ({ request }) => remove(byQuery(request), authorOf(request)));
}

const keyOf = ({ namespace, id }: FlowRecord): Key => ({ namespace, id });

/** Refuses to enable any of the flows when one of them lacks a plugin. */
function refuseUnknownTypes(records: readonly FlowRecord[], { flows }: Pick<Product, 'flows'>): void {
  for (const record of records) {
    const { unknownTypes } = flows.read(record);
    if (!unknownTypes) continue;
    const message = `the flow "${record.id}" of "${record.namespace}" cannot be enabled: no plugin provides ${unknownTypes.join(', ')}`;
    throw new AppError('illegal-state', message);
  }
}
