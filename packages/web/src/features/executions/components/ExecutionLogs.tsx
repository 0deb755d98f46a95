import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting } from '../../../storage/settings.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { OnlyTaskRun } from './OnlyTaskRun.tsx';

const LogView = lazy(() => import('../../logs/index.ts').then((module) => ({ default: module.LogView })));

/** The log of the whole execution, or of the selected task run until the selection is taken back. */
export function ExecutionLogs({ execution, isLive, selectedId, onSelect, level }: ExecutionTabProps) {
  const { t } = useTranslation();
  const usualLevel = useSetting('defaultLogLevel');
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  return (
    <div className={styles.stack}>
      {selected && (
        <OnlyTaskRun run={selected} showAll={t('taskRun.showAll')} onClear={() => onSelect(undefined)} />
      )}
      <div className={styles.view}>
        <LogView
          executionId={execution.id}
          taskRunId={selected?.id}
          minLevel={level ?? usualLevel}
          live={isLive}
        />
      </div>
    </div>
  );
}
