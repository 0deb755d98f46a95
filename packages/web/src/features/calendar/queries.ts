import { calendar } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

interface CalendarQuestion {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly namespace: string | undefined;
  readonly flowId: string | undefined;
}

const everyMs = 20_000;

export const calendarQuery = ({ from, to, timeZone, namespace, flowId }: CalendarQuestion, isLive: boolean) =>
  queryOptions({
    queryKey: ['executions', currentTenant(), 'calendar', from, to, timeZone, namespace, flowId],
    queryFn: ({ signal }) =>
      call(calendar.readCalendar, {
        query: { from, to, timeZone, ...(namespace && { namespace }), ...(flowId && { flowId }) },
        signal,
        failures: 'handled',
      }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && everyMs,
  });
