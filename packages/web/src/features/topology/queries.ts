import { plugins } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/index.ts';

/** Icons change only with the server's version. */
export const pluginIconsQuery = queryOptions({
  queryKey: ['plugin-icons'],
  queryFn: ({ signal }) => call(plugins.getPluginIcons, { signal, failures: 'handled' }),
  staleTime: Number.POSITIVE_INFINITY,
});
