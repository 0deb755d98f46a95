import { type Configuration, provider } from '@millrace/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { startAnalytics } from '../reports/analytics.ts';
import { startReports } from '../reports/reports.ts';
import { browserId } from '../storage/uid.ts';
import { feedsQuery } from './context/feeds.ts';

const providerConfigQuery = queryOptions({
  queryKey: ['provider', 'config'],
  queryFn: ({ signal }) => call(provider.getProviderConfig, { signal, failures: 'handled' }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
});

/** What starts in the background once the server has said who it is. None of it keeps the app waiting. */
export function useGeneralResources(configuration: Configuration | undefined): void {
  const client = useQueryClient();
  const { data: providerConfig } = useQuery({
    ...providerConfigQuery,
    enabled: configuration !== undefined,
  });

  useEffect(() => {
    if (configuration) void client.prefetchQuery(feedsQuery(configuration));
  }, [client, configuration]);

  useEffect(() => {
    if (!configuration || configuration.isAnonymousUsageEnabled === false) return;
    return startReports({ iid: configuration.uuid, uid: browserId() });
  }, [configuration]);

  useEffect(() => {
    if (!configuration || configuration.isAnonymousUsageEnabled === false) return;
    if (!providerConfig?.posthog) return;
    return startAnalytics(providerConfig.posthog, {
      configId: providerConfig.id,
      iid: configuration.uuid,
      uid: browserId(),
      version: configuration.version,
    });
  }, [configuration, providerConfig]);
}
