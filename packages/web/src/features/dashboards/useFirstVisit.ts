import { executions, flows } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';

const tutorialNamespace = 'tutorial';

/** Where nothing was made and nothing has run yet, the welcome page says more than empty charts. */
export function useFirstVisit(): void {
  const navigate = useNavigate();
  const { data: isEmpty } = useQuery({
    queryKey: ['firstVisit', currentTenant()],
    queryFn: async ({ signal }) => {
      const [found, ran] = await Promise.all([
        call(flows.searchFlows, { query: { size: 10, sort: 'id:asc' }, signal, failures: 'handled' }),
        call(executions.searchExecutions, { query: { size: 10 }, signal, failures: 'handled' }),
      ]);
      if (ran.total > 0) return false;
      if (found.results.some(({ namespace }) => namespace !== tutorialNamespace)) return false;
      if (found.total <= found.results.length) return true;
      // The first ten may all be of the tutorial, which does not count.
      const query = { size: 1, 'filters[namespace][NOT_EQUALS]': tutorialNamespace };
      return (await call(flows.searchFlows, { query, signal, failures: 'handled' })).total === 0;
    },
    staleTime: 0,
    gcTime: 0,
  });
  useEffect(() => {
    if (isEmpty) void navigate({ to: '/{-$tenant}/welcome', replace: true });
  }, [isEmpty, navigate]);
}
