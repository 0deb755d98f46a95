import { Button } from '@mantine/core';
import { isTerminal, type LogLevel, type TaskRun } from '@millrace/contract';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SettingValue, useSetting } from '../../../storage/settings.ts';
import { Duration, Loading, StatePill } from '../../../ui/index.ts';
import styles from './GroupedLogs.module.css';

const LogView = lazy(() => import('../../logs/index.ts').then((module) => ({ default: module.LogView })));

/** More at once would be a long page, and a call for each. */
const shownAtOnce = 50;
const openedAtOnce = 10;

interface GroupedLogsProps {
  executionId: string;
  runs: readonly TaskRun[];
  minLevel: LogLevel;
  isLive: boolean;
}

/** The log of each task run under its name, opened as the settings say. */
export function GroupedLogs({ executionId, runs, minLevel, isLive }: GroupedLogsProps) {
  const { t } = useTranslation();
  const display = useSetting('logDisplay');
  const [count, setCount] = useState(shownAtOnce);
  const inOrder = [...runs].sort((a, b) => a.state.startDate.localeCompare(b.state.startDate));
  const opened = new Set(inOrder.filter((run) => opensFor(display, run)).slice(0, openedAtOnce));
  return (
    <div className={styles.groups}>
      {inOrder.slice(0, count).map((run) => (
        <RunLog
          // Another choice in the settings opens and closes all of them anew.
          key={`${run.id} ${display}`}
          run={run}
          isFirstOpen={opened.has(run)}
          {...{ executionId, minLevel, isLive }}
        />
      ))}
      {inOrder.length > count && (
        <Button variant="default" onClick={() => setCount(count + shownAtOnce)}>
          {t('logs.moreTasks', { count: inOrder.length - count })}
        </Button>
      )}
    </div>
  );
}

/** Failed ones, and those that still may fail. */
const opensFor = (display: SettingValue<'logDisplay'>, { state }: TaskRun): boolean =>
  display === 'all' || (display === 'error' && (state.current === 'FAILED' || !isTerminal(state.current)));

interface RunLogProps extends Omit<GroupedLogsProps, 'runs'> {
  run: TaskRun;
  isFirstOpen: boolean;
}

function RunLog({ run, isFirstOpen, executionId, minLevel, isLive }: RunLogProps) {
  const [isOpen, setOpen] = useState(isFirstOpen);
  const { current, startDate, endDate } = run.state;
  return (
    <details className={styles.group} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <StatePill state={current} size="sm" />
        <span className={styles.name}>{run.value ? `${run.taskId} · ${run.value}` : run.taskId}</span>
        <Duration from={startDate} to={isTerminal(current) ? (endDate ?? startDate) : undefined} />
      </summary>
      {isOpen && (
        <div className={styles.log}>
          <Suspense fallback={<Loading />}>
            <LogView
              executionId={executionId}
              taskRunId={run.id}
              attempts={run.attempts?.length}
              minLevel={minLevel}
              live={isLive}
            />
          </Suspense>
        </div>
      )}
    </details>
  );
}
