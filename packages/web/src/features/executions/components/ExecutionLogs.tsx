import { SegmentedControl } from '@mantine/core';
import { lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting } from '../../../storage/settings.ts';
import { readStored, writeStored } from '../../../storage/storage.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { GroupedLogs } from './GroupedLogs.tsx';
import { OnlyTaskRun } from './OnlyTaskRun.tsx';

const LogView = lazy(() => import('../../logs/index.ts').then((module) => ({ default: module.LogView })));

type LogOrder = 'time' | 'task';

/** The log of the whole execution, by task or by time, or of the selected task run until the selection is taken back. */
export function ExecutionLogs({ execution, isLive, selectedId, onSelect, level }: ExecutionTabProps) {
  const { t } = useTranslation();
  const usualLevel = useSetting('defaultLogLevel');
  const [order, setOrder] = useState<LogOrder>(() => (readStored('logOrder') === 'time' ? 'time' : 'task'));
  const minLevel = level ?? usualLevel;
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const choose = (next: LogOrder) => {
    setOrder(next);
    writeStored('logOrder', next);
  };
  return (
    <div className={styles.stack}>
      {selected ? (
        <OnlyTaskRun run={selected} showAll={t('taskRun.showAll')} onClear={() => onSelect(undefined)} />
      ) : (
        <SegmentedControl<LogOrder>
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('logs.order')}
          value={order}
          onChange={choose}
          data={[
            { value: 'task', label: t('logs.byTask') },
            { value: 'time', label: t('logs.byTime') },
          ]}
        />
      )}
      {order === 'task' && !selected ? (
        <GroupedLogs
          executionId={execution.id}
          runs={execution.taskRunList ?? []}
          minLevel={minLevel}
          isLive={isLive}
        />
      ) : (
        <div className={styles.view}>
          <LogView executionId={execution.id} taskRunId={selected?.id} minLevel={minLevel} live={isLive} />
        </div>
      )}
    </div>
  );
}
