import { ActionIcon } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../../ui/Hint.tsx';
import { DotsPlaceholder } from '../../ui/index.ts';
import { ExecuteDialog } from '../executions/index.ts';

const FlowRowMenu = lazy(() =>
  import('./FlowRowMenu.tsx').then((module) => ({ default: module.FlowRowMenu })),
);

export function FlowRowActions({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const [isExecuting, setExecuting] = useState(false);
  const { namespace, id } = flow;
  return (
    <>
      <Hint label={t('flow.execute')}>
        <ActionIcon
          onClick={() => setExecuting(true)}
          disabled={flow.disabled}
          aria-label={t('flow.executeNamed', { id })}
        >
          <IconPlayerPlay size={16} stroke={1.7} />
        </ActionIcon>
      </Hint>
      <Suspense fallback={<DotsPlaceholder />}>
        <FlowRowMenu flow={flow} />
      </Suspense>
      {isExecuting && <ExecuteDialog namespace={namespace} flowId={id} onClose={() => setExecuting(false)} />}
    </>
  );
}
