import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './ApiError.ts';

/** Failures a second try cannot cure are not tried again. */
const isWorthRetrying = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 502;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
        retryDelay: (attempt) => Math.min(300 * 2 ** attempt, 3_000),
      },
    },
  });
