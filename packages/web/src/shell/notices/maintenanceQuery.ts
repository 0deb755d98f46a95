import { instance } from '@millrace/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { configurationQuery } from '../configuration.ts';

const everyMs = 20_000;
export const maintenanceKey = ['maintenance'];

export const maintenanceQuery = () =>
  queryOptions({
    queryKey: maintenanceKey,
    queryFn: ({ signal }) => call(instance.getMaintenance, { signal, failures: 'handled' }),
    staleTime: everyMs,
    refetchInterval: everyMs,
  });

/** The configuration brings the first answer, so that no page waits for another request. */
export function useMaintenance() {
  const { data: configuration } = useSuspenseQuery(configurationQuery);
  return useSuspenseQuery({
    ...maintenanceQuery(),
    initialData: configuration.maintenance ?? { isActive: false },
  }).data;
}
