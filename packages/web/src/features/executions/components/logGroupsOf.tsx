import { isTerminal, type TaskRun } from '@millrace/contract';
import type { SettingValue } from '../../../storage/settings.ts';
import { Duration, StatePill } from '../../../ui/index.ts';
import type { LogGroup } from '../../logs/index.ts';
import styles from './ExecutionLogs.module.css';

/** A group of the log for each task run, in the order in which they began, opened as the settings say. */
export const logGroupsOf = (runs: readonly TaskRun[], display: SettingValue<'logDisplay'>): LogGroup[] =>
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
  const { current, startDate, endDate } = run.state;
  return (
    <>
      <StatePill state={current} size="sm" />
      <span className={styles.name}>{run.value ? `${run.taskId} · ${run.value}` : run.taskId}</span>
      <span className={styles.duration}>
        <Duration from={startDate} to={isTerminal(current) ? (endDate ?? startDate) : undefined} />
      </span>
    </>
  );
}
