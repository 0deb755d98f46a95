import { flows } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { showError } from '../../shell/toasts.ts';
import type { FlowKey } from '../flows/index.ts';

export const flowsOfNamespaceQuery = (namespace: string) =>
  queryOptions({
    queryKey: ['flows', currentTenant(), 'of', namespace],
    queryFn: async ({ signal }) => {
      const found = await call(flows.listFlowsOfNamespace, {
        params: { namespace },
        signal,
        failures: 'handled',
      });
      return found.map(({ id }) => id);
    },
    staleTime: 30_000,
    retry: false,
  });

/** The names of a flow's inputs. A flow that cannot be read has none to offer, and it is said why. */
export const subflowInputsQuery = ({ namespace, id }: FlowKey) =>
  queryOptions({
    queryKey: ['flow', currentTenant(), namespace, id, 'inputNames'],
    queryFn: async ({ signal }) => {
      try {
        const flow = await call(flows.getFlow, {
          params: { namespace, id },
          query: { source: false, allowDeleted: false },
          signal,
          failures: 'handled',
        });
        return (flow.inputs ?? []).map((input) => input.id);
      } catch (error) {
        if (!signal.aborted && error instanceof Error) showError(error);
        return [];
      }
    },
    staleTime: 30_000,
    retry: false,
  });
