import type { Flow } from '@millrace/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../ui/Hint.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { RowMenu } from '../../ui/RowMenu.tsx';
import { ExecuteDialog } from '../executions/index.ts';

const FlowRowItems = lazy(() =>
  import('./FlowRowItems.tsx').then((module) => ({ default: module.FlowRowItems })),
);

export function FlowRowActions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const [isExecuting, setExecuting] = useState(false);
  const { namespace, id } = flow;
  return (
    <>
      <Hint label={t('flow.execute')}>
        <RowButton
          onClick={() => setExecuting(true)}
          disabled={flow.disabled}
          aria-label={t('flow.executeNamed', { id })}
        >
          <IconPlayerPlay size={16} stroke={1.7} />
        </RowButton>
      </Hint>
      <RowMenu label={t('flow.more', { id })}>
        {() => (
          <Suspense>
            <FlowRowItems flow={flow} />
          </Suspense>
        )}
      </RowMenu>
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </>
  );
}
