import type { FlowValidation } from '@millrace/contract';
import { validateSource } from '@millrace/engine';
import type { Product } from '../product.ts';

/** Says of each document what saving it would say, without saving anything. */
export function validateFlows(
  source: string,
  { store, catalogue, flows }: Pick<Product, 'store' | 'catalogue' | 'flows'>,
): Promise<FlowValidation[]> {
  return validateSource(source, catalogue, {
    lastRevision: async (namespace, id) => (await store.getFlow(namespace, id))?.revision,
    findFlow: async ({ namespace, flowId, revision }) => {
      const found = await flows.find(namespace, flowId, revision);
      return found && !found.record.deleted ? { disabled: found.record.disabled } : undefined;
    },
  });
}
