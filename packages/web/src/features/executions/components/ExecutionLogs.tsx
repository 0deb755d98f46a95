import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetting } from '../../../storage/settings.ts';
import { useStored, writeStored } from '../../../storage/storage.ts';
import type { LogOrder } from '../search.ts';
import styles from './ExecutionTab.module.css';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { LogFiles } from './LogFiles.tsx';
import { LogView } from './largeParts.ts';
import { logGroupsOf } from './logGroupsOf.tsx';
import { OnlyTaskRun } from './OnlyTaskRun.tsx';

/** The log of the whole execution, by task or by time, or of the selected task run until the selection is taken back. */
export function ExecutionLogs({ execution, isLive, selectedId, onSelect, search, keep }: ExecutionTabProps) {
  const { t } = useTranslation();
  const usualLevel = useSetting('defaultLogLevel');
  const usualOrder = useStored('logOrder');
  const display = useSetting('logDisplay');
  const order = search.order ?? (usualOrder === 'time' ? 'time' : 'task');
  const selected = execution.taskRunList?.find((run) => run.id === selectedId);
  const runs = execution.taskRunList;
  const groups = useMemo(
    () => (order === 'task' && !selected ? logGroupsOf(runs ?? [], display) : undefined),
    [order, selected, runs, display],
  );
  const choose = (next: LogOrder) => {
    keep({ order: next });
    writeStored('logOrder', next);
  };
  return (
    <div className={styles.view}>
      <LogView
        // Another choice in the settings opens and closes all groups anew.
        key={display}
        executionId={execution.id}
        taskRunId={selected?.id}
        attempts={selected?.attempts?.length}
        usualLevel={usualLevel}
        choice={search}
        onChoose={keep}
        onOnlyRun={onSelect}
        live={isLive}
        groups={groups}
        lead={
          selected ? (
            <>
              <OnlyTaskRun
                run={selected}
                showAll={t('taskRun.showAll')}
                onClear={() => onSelect(undefined)}
              />
              <LogFiles executionId={execution.id} run={selected} />
            </>
          ) : (
            <SegmentedControl<LogOrder>
              size="xs"
              aria-label={t('logs.order')}
              value={order}
              onChange={choose}
              data={[
                { value: 'task', label: t('logs.byTask') },
                { value: 'time', label: t('logs.byTime') },
              ]}
            />
          )
        }
      />
    </div>
  );
}
