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

/** The log of the whole execution, by time or by task, or of the selected task run until the selection is taken back. */
export function ExecutionLogs({ execution, isLive, selectedId, onSelect, level }: ExecutionTabProps) {
  const { t } = useTranslation();
  const usualLevel = useSetting('defaultLogLevel');
  const display = useSetting('logDisplay');
  const [chosen, setChosen] = useState(() => readStored('logOrder'));
  // Who wants tasks folded wants to see tasks.
  const order: LogOrder =
    chosen === 'time' || chosen === 'task' ? chosen : display === 'all' ? 'time' : 'task';
  const minLevel = level ?? usualLevel;
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const choose = (next: LogOrder) => {
    setChosen(next);
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
            { value: 'time', label: t('logs.byTime') },
            { value: 'task', label: t('logs.byTask') },
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
