import { type Configuration, product } from '@millrace/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { setProviderUrl } from '../api/tenant.ts';
import { useSetting } from '../storage/settings.ts';

export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: async ({ signal }) => {
    const configuration = await call(product.getConfiguration, { signal, failures: 'handled' });
    setProviderUrl(configuration.providerUrl);
    return configuration;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** What the server says about itself. The shell renders only once this is known. */
export const useConfiguration = (): Configuration => useSuspenseQuery(configurationQuery).data;

/** Which installation this is: what the settings page says wins over what the server says. */
export function useEnvironment(): { name: string | undefined; color: string } {
  const { environment } = useConfiguration();
  const name = useSetting('environmentName') || environment?.name || undefined;
  const color = useSetting('environmentColor') || environment?.color || 'var(--mr-brand)';
  return { name, color };
}
