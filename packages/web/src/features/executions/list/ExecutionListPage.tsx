import { Button } from '@mantine/core';
import type { StateType } from '@millrace/contract';
import { IconBolt } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState, LinkButton, Page } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { ExecutionList } from './ExecutionList.tsx';

const ExecuteAnyDialog = lazyPart(() => import('../execute/ExecuteAnyDialog.tsx'), 'ExecuteAnyDialog');

export function ExecutionListPage() {
  const { t } = useTranslation();
  const { namespace } = useSearch({ from: '/{-$tenant}/executions' });
  const [isExecuting, setExecuting] = useState(false);
  return (
    <Page
      title={t('nav.executions')}
      actions={
        <Button leftSection={<IconBolt size={16} />} onClick={() => setExecuting(true)}>
          {t('flow.execute')}
        </Button>
      }
    >
      <ExecutionList
        name="executions"
        empty={
          <EmptyState
            illustration="stillWater"
            title={t('execution.none')}
            text={t('execution.noneText')}
            action={
              <LinkButton to="/{-$tenant}/flows" search={{}}>
                {t('execution.chooseFlow')}
              </LinkButton>
            }
          />
        }
      />
      {isExecuting && (
        <Suspense>
          <ExecuteAnyDialog namespace={namespace} onClose={() => setExecuting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

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
