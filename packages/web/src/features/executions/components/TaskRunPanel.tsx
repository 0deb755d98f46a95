import { CloseButton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { openTime } from '../../../format/openTime.ts';
import { CopiedMark, ErrorBoundary, Loading, StatePill, TimeOpen } from '../../../ui/index.ts';
import { ExecutionLink } from './ExecutionLink.tsx';
import type { ExecutionTabProps } from './ExecutionTab.tsx';
import { LogFiles } from './LogFiles.tsx';
import { LogView } from './largeParts.ts';
import styles from './TaskRunPanel.module.css';

const TaskRunActions = lazy(() =>
  import('./TaskRunActions.tsx').then((module) => ({ default: module.TaskRunActions })),
);

/** The selected task run below the view that selected it: how it stands and what it said. */
export function TaskRunPanel(props: ExecutionTabProps) {
  const { execution, isLive, selectedId, onSelect, search, keep } = props;
  const { t } = useTranslation();
  const run = execution.taskRunList?.find(({ id }) => id === selectedId);
  if (!run) return null;
  const { state } = run;
  return (
    <section className={styles.panel} aria-label={t('taskRun.panel', { id: run.taskId })}>
      <header className={styles.head}>
        <StatePill state={state.current} />
        <strong className={styles.name}>{run.taskId}</strong>
        {run.value && <code className={styles.value}>{run.value}</code>}
        {run.copied && <CopiedMark />}
        <span className={styles.quiet}>
          <TimeOpen time={openTime(state)} />
        </span>
        {(run.attempts?.length ?? 0) > 1 && (
          <span className={styles.quiet}>{t('taskRun.attempts', { count: run.attempts?.length ?? 0 })}</span>
        )}
        <span className={styles.links}>
          <ExecutionLink {...execution} tab="logs" taskRunId={run.id}>
            {t('execution.tab.logs')}
          </ExecutionLink>
          <ExecutionLink {...execution} tab="outputs" taskRunId={run.id}>
            {t('execution.tab.outputs')}
          </ExecutionLink>
        </span>
        <LogFiles executionId={execution.id} run={run} />
        <Suspense>
          <TaskRunActions execution={execution} run={run} />
        </Suspense>
        <CloseButton size="sm" onClick={() => onSelect(undefined)} aria-label={t('taskRun.close')} />
      </header>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <LogView
            executionId={execution.id}
            taskRunId={run.id}
            attempts={run.attempts?.length}
            live={isLive}
            choice={search}
            onChoose={keep}
          />
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
