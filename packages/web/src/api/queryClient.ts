import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './ApiError.ts';

/** Failures a second try cannot cure are not tried again. */
const isWorthRetrying = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // The browser calls itself offline also when the server runs on this machine; and a call that waits says nothing.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        retryDelay: (attempt) => Math.min(300 * 2 ** attempt, 3_000),
      },
    },
  });
