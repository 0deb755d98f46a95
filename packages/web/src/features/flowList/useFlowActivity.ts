import type { Execution, Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bucket } from '../../ui/charts/StackedBars.tsx';
import { dailyByFlowQuery, executionBuckets, latestByFlowQuery } from '../stats/index.ts';

export interface FlowActivity {
  /** The execution that ended last. */
  latest?: Execution | undefined;
  /** What ran, per day. */
  days?: Bucket[] | undefined;
}

/** How the flows of one page of the list went lately: two calls for all of them together. */
export function useFlowActivity(flows: readonly Flow[] | undefined): (flow: Flow) => FlowActivity {
  const { i18n } = useTranslation();
  const keys = useMemo(() => (flows ?? []).map(({ namespace, id }) => ({ namespace, id })), [flows]);
  const { data: latest } = useQuery(latestByFlowQuery(keys));
  const { data: daily } = useQuery(dailyByFlowQuery(keys));
  return useCallback(
    ({ namespace, id }) => {
      const days = daily?.[namespace]?.[id];
      return {
        latest: latest?.find((one) => one.namespace === namespace && one.flowId === id),
        days: days && executionBuckets(days, i18n.language),
      };
    },
    [latest, daily, i18n.language],
  );
}
