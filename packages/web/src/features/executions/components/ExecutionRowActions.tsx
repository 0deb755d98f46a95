import type { Execution } from '@millrace/contract';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowMenu } from '../../../ui/RowMenu.tsx';
import { ExecutionActionDialog } from './ExecutionActionDialogLazy.tsx';
import type { ExecutionAction } from './executionActions.ts';

const ExecutionActionItems = lazy(() =>
  import('./ExecutionActionItems.tsx').then((module) => ({ default: module.ExecutionActionItems })),
);

export function ExecutionRowActions({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<ExecutionAction>();
  return (
    <>
      <RowMenu label={t('execution.more', { id: execution.id })}>
        {() => (
          <Suspense>
            <ExecutionActionItems state={execution.state.current} onChoose={choose} />
          </Suspense>
        )}
      </RowMenu>
      {chosen && (
        <ExecutionActionDialog
          action={chosen}
          execution={execution}
          onClose={() => choose(undefined)}
          onDeleted={() => {}}
        />
      )}
    </>
  );
}
