import { isTerminal, type TaskRun } from '@millrace/contract';
import { openTime } from '../../../format/openTime.ts';
import type { SettingValue } from '../../../storage/settings.ts';
import { CopiedMark, StatePill, TimeOpen } from '../../../ui/index.ts';
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
  return (
    <>
      <StatePill state={run.state.current} size="sm" />
      <span className={styles.name}>{run.value ? `${run.taskId} · ${run.value}` : run.taskId}</span>
      {run.copied && <CopiedMark />}
      <span className={styles.duration}>
        <TimeOpen time={openTime(run.state)} />
      </span>
    </>
  );
}
