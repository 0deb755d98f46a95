import type { StateType } from '@millrace/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState } from '../../../ui/index.ts';
import { ExecutionList } from './ExecutionList.tsx';

interface ExecutionsOfFlowProps {
  namespace: string;
  flowId: string;
  /** Names what is remembered of this list in the browser. */
  name?: string;
  /** Only these states; all of them otherwise. */
  states?: readonly StateType[];
  empty?: ReactNode;
}

export function ExecutionsOfFlow({
  namespace,
  flowId,
  name = 'flow-executions',
  states,
  empty,
}: ExecutionsOfFlowProps) {
  const { t } = useTranslation();
  return (
    <ExecutionList
      name={name}
      of={{ namespace, flowId }}
      {...(states && { states })}
      empty={
        empty ?? (
          <EmptyState illustration="stillWater" title={t('flow.neverRan')} text={t('flow.neverRanText')} />
        )
      }
    />
  );
}
