import { instance } from '@millrace/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { maintenanceKey } from '../../shell/notices/MaintenanceBanner.tsx';
import { showError } from '../../shell/toasts.ts';

/** Servers and queues change all the time; checks of the storage and counts of old data cost more. */
const liveMs = 3_000;
const slowMs = 30_000;

const options = <T>(name: string, refetchInterval: number, ask: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: ['instance', currentTenant(), name],
    queryFn: ({ signal }) => ask(signal),
    refetchInterval,
  });

export const serversQuery = () =>
  options('servers', liveMs, (signal) => call(instance.listServers, { signal, failures: 'handled' }));
export const queuesQuery = () =>
  options('queues', liveMs, (signal) => call(instance.getQueues, { signal, failures: 'handled' }));
export const schedulerQuery = () =>
  options('scheduler', liveMs, (signal) => call(instance.getScheduler, { signal, failures: 'handled' }));
export const healthQuery = () =>
  options('health', slowMs, (signal) => call(instance.getHealth, { signal, failures: 'handled' }));
export const retentionQuery = () =>
  options('retention', slowMs, (signal) => call(instance.getRetention, { signal, failures: 'handled' }));
export const slowQueriesQuery = () =>
  options('slowQueries', slowMs, (signal) => call(instance.listSlowQueries, { signal, failures: 'handled' }));
export const actionsQuery = () =>
  options('actions', slowMs, (signal) => call(instance.listActions, { signal, failures: 'handled' }));
export const logLevelQuery = () =>
  options('logLevel', slowMs, (signal) => call(instance.getLogLevel, { signal, failures: 'handled' }));

/** An action of an operator; afterwards the page and the banner are read again. */
export function useControl<T>(act: (input: T) => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      onDone?.();
      await Promise.all([
        client.invalidateQueries({ queryKey: ['instance'] }),
        client.invalidateQueries({ queryKey: maintenanceKey }),
      ]);
    },
    onError: showError,
  });
}
