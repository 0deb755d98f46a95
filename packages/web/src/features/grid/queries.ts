import { flowGrid, isTerminal } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { refreshMs } from '../../ui/index.ts';

interface GridQuestion {
  readonly namespace: string;
  readonly id: string;
  readonly page: number;
  readonly size: number;
}

/** While something runs the grid is read often. */
const liveMs = 2_000;

export const flowGridQuery = ({ namespace, id, page, size }: GridQuestion, isLive: boolean) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'grid', namespace, id, page, size],
    queryFn: ({ signal }) =>
      call(flowGrid.getFlowGrid, { params: { namespace, id }, query: { page, size }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (!isLive) return false;
      const moves = state.data?.executions.some((execution) => !isTerminal(execution.state.current));
      return moves ? liveMs : refreshMs;
    },
  });
