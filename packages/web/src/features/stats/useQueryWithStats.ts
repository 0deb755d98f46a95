import { useQueryClient } from '@tanstack/react-query';

interface ListQuery<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
}

/** The query of a list with charts: whoever asks for the list again gets the charts of the same moment. */
export function useQueryWithStats<Data>({ data, error, refetch }: ListQuery<Data>): ListQuery<Data> {
  const client = useQueryClient();
  return {
    data,
    error,
    refetch: () => Promise.all([refetch(), client.invalidateQueries({ queryKey: ['stats'] })]),
  };
}
