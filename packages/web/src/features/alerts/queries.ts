import { alerts } from '@millrace/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

const everyMs = 15_000;

export const rulesQuery = () =>
  queryOptions({
    queryKey: ['alerts', currentTenant(), 'rules'],
    queryFn: ({ signal }) => call(alerts.listRules, { signal, failures: 'handled' }),
    refetchInterval: everyMs,
  });

export const channelsQuery = () =>
  queryOptions({
    queryKey: ['alerts', currentTenant(), 'channels'],
    queryFn: ({ signal }) => call(alerts.listChannels, { signal, failures: 'handled' }),
    refetchInterval: everyMs,
  });

export const incidentsQuery = (state: 'OPEN' | 'RECOVERED', size: number) =>
  historyQuery(['incidents', state, size], (signal) =>
    call(alerts.listIncidents, { query: { state, size }, signal, failures: 'handled' }),
  );

export const deliveriesQuery = (state: 'PENDING' | 'DONE', size: number) =>
  historyQuery(['deliveries', state, size], (signal) =>
    call(alerts.listDeliveries, { query: { state, size }, signal, failures: 'handled' }),
  );

interface HistoryPage<Row> {
  readonly results: readonly Row[];
  readonly hasMore: boolean;
}

export const historyQuery = <Row>(
  key: readonly unknown[],
  read: (signal: AbortSignal) => Promise<HistoryPage<Row>>,
) =>
  queryOptions({
    queryKey: ['alerts', currentTenant(), ...key],
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });

export const alertSourceQuery = () =>
  queryOptions({
    queryKey: ['alerts', currentTenant(), 'source'],
    // `as`: the reply of this call is text.
    queryFn: async ({ signal }) => (await call(alerts.exportAlerts, { signal })) as unknown as string,
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
