import { SegmentedControl } from '@mantine/core';
import { isTerminal, type TaskRun } from '@millrace/contract';
import { useMemo } from 'react';
import { openTime } from '../../../format/openTime.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { type SettingValue, useSetting } from '../../../storage/settings.ts';
import { useStored, writeStored } from '../../../storage/storage.ts';
import { CopiedIcon, EditedIcon, StatePill, TimeOpen } from '../../../ui/index.ts';
import type { LogGroup } from '../../logs/index.ts';
import type { LogOrder } from '../search.ts';
import logGroupsOfClasses from './ExecutionLogs.module.css';
import styles from './ExecutionTab.module.css';
import { LogFiles } from './LogFiles.tsx';
import { TaskRunFilterChip } from './TaskRunFilterChip.tsx';
import { type ExecutionTabProps, LogView } from './tabParts.ts';

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
        // A change of the setting opens and closes all groups again.
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
              <TaskRunFilterChip
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

/** A group of the log for each task run, in the order in which they began, opened as the settings say. */
const logGroupsOf = (runs: readonly TaskRun[], display: SettingValue<'logDisplay'>): LogGroup[] =>
  [...runs]
    .sort((a, b) => a.state.startDate.localeCompare(b.state.startDate))
    .map((run) => ({
      id: run.id,
      isOpenAtFirst: opensFor(display, run),
      heading: <RunHeading run={run} />,
    }));

/** Failed ones, and those that still may fail. */
const opensFor = (display: SettingValue<'logDisplay'>, { state }: TaskRun): boolean =>
  display === 'all' || (display === 'error' && (state.current === 'FAILED' || !isTerminal(state.current)));

function RunHeading({ run }: { run: TaskRun }) {
  return (
    <>
      <StatePill state={run.state.current} size="sm" />
      <span className={logGroupsOfClasses.name}>
        {run.value ? `${run.taskId} · ${run.value}` : run.taskId}
      </span>
      {run.copied && <CopiedIcon />}
      {run.edited && <EditedIcon />}
      <span className={logGroupsOfClasses.duration}>
        <TimeOpen time={openTime(run.state)} />
      </span>
    </>
  );
}
