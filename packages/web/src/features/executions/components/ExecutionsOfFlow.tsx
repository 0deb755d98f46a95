import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/index.ts';
import { ExecutionList } from './ExecutionList.tsx';

export function ExecutionsOfFlow({ namespace, flowId }: { namespace: string; flowId: string }) {
  const { t } = useTranslation();
  return (
    <ExecutionList
      name="flow-executions"
      of={{ namespace, flowId }}
      empty={
        <EmptyState illustration="stillWater" title={t('flow.neverRan')} text={t('flow.neverRanText')} />
      }
    />
  );
}
