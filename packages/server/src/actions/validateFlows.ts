import type { FlowValidation } from '@millrace/contract';
import { validateSource } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { Store } from '@millrace/store';
import type { FlowCache } from './flowCache.ts';

/** Returns for each document the result that saving it would have, without saving anything. */
export function validateFlows(
  source: string,
  {
    store,
    catalogue,
    flows,
  }: { readonly store: Store; readonly catalogue: PluginCatalogue; readonly flows: FlowCache },
): Promise<FlowValidation[]> {
  return validateSource(source, catalogue, {
    lastRevision: async (namespace, id) => (await store.getFlow(namespace, id))?.revision,
    findFlow: async ({ namespace, flowId, revision }) => {
      const found = await flows.find(namespace, flowId, revision);
      return found && !found.record.deleted ? { disabled: found.record.disabled } : undefined;
    },
  });
}
