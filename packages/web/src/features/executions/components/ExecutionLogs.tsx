import { Pill } from '@mantine/core';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';

const LogView = lazy(() => import('../../logs/index.ts').then((module) => ({ default: module.LogView })));

/** The log of the whole execution, or of the selected task run until the selection is taken back. */
export function ExecutionLogs({ execution, isLive, selectedId, onSelect, level }: ExecutionTabProps) {
  const { t } = useTranslation();
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  return (
    <div className={styles.stack}>
      {selected && (
        <div>
          <Pill
            size="md"
            withRemoveButton
            onRemove={() => onSelect(undefined)}
            removeButtonProps={{ 'aria-label': t('taskRun.showAll'), 'aria-hidden': false, tabIndex: 0 }}
          >
            {t('taskRun.only', {
              id: selected.value ? `${selected.taskId} · ${selected.value}` : selected.taskId,
            })}
          </Pill>
        </div>
      )}
      <div className={styles.view}>
        <LogView executionId={execution.id} taskRunId={selected?.id} minLevel={level} live={isLive} />
      </div>
    </div>
  );
}
