import { CloseButton } from '@mantine/core';
import { Suspense } from 'react';
import { openTime } from '../../../format/openTime.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CopiedIcon, EditedIcon, ErrorBoundary, Loading, StatePill, TimeOpen } from '../../../ui/index.ts';
import { useInstant } from '../../../ui/instant.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { IterationList, type Iterations } from '../../iterations/index.ts';
import { ChangedBy } from '../ActorName.tsx';
import { ExecutionLink } from '../ExecutionLink.tsx';
import { LogFiles } from './LogFiles.tsx';
import styles from './TaskRunPanel.module.css';
import { type ExecutionTabProps, LogView } from './tabParts.ts';

const TaskRunActions = lazyPart(() => import('../actions/TaskRunActions.tsx'), 'TaskRunActions');

/** The selected task run below the view that selected it: how it stands and what it said. */
export function TaskRunPanel(props: ExecutionTabProps & { iterations: Iterations }) {
  const { execution, isLive, selectedId, onSelect, search, keep } = props;
  const { folded, open } = props.iterations;
  const { t } = useTranslation();
  const instant = useInstant();
  const run = folded.byId.get(selectedId ?? '');
  if (!run) return null;
  const loop = folded.loops.get(run.id);
  const { state } = run;
  return (
    <section className={styles.panel} aria-label={t('taskRun.panel', { id: run.taskId })}>
      <header className={styles.head}>
        <StatePill state={state.current} />
        <strong className={styles.name}>{run.taskId}</strong>
        {run.value && <code className={styles.value}>{run.value}</code>}
        {run.copied && <CopiedIcon />}
        {run.edited && <EditedIcon />}
        <span className={styles.quiet}>
          <TimeOpen time={openTime(state)} />
        </span>
        <ChangedBy state={state} />
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
          <ExecutionLink {...execution} tab="events" taskRunId={run.id}>
            {t('execution.tab.events')}
          </ExecutionLink>
        </span>
        <LogFiles executionId={execution.id} run={run} />
        {/* Actions are about the present. */}
        {!instant && (
          <Suspense>
            <TaskRunActions execution={execution} run={run} />
          </Suspense>
        )}
        <CloseButton size="sm" onClick={() => onSelect(undefined)} aria-label={t('taskRun.close')} />
      </header>
      {loop ? (
        <IterationList
          key={run.id}
          loop={loop}
          openValue={open.get(run.id)}
          filter={{ state: search.iterationState, text: search.iterationText }}
          onFilter={({ state, text }) => keep({ iterationState: state, iterationText: text })}
          onOpen={(iteration) => keep({ iteration })}
        />
      ) : (
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
      )}
    </section>
  );
}
