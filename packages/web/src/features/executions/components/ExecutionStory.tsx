import { type Execution, isTerminal } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trans, useTranslation } from 'react-i18next';
import { useConfiguration } from '../../../shell/configuration.ts';
import { DateAgo, DateTime, Duration, StatePill, Tags } from '../../../ui/index.ts';
import { findFailure } from '../failure.ts';
import { errorLogsQuery } from '../queries.ts';
import { ExecutionLink } from './ExecutionLink.tsx';
import styles from './ExecutionStory.module.css';
import { RunProgress } from './RunProgress.tsx';

/** The whole story in two lines: how it stands, since when, how long, who started it, and what failed where. */
export function ExecutionStory({ execution, isConnected }: { execution: Execution; isConnected: boolean }) {
  const { t } = useTranslation();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const { state, flowRevision, namespace, flowId } = execution;
  const isOver = isTerminal(state.current);
  const labels = execution.labels.filter(
    ({ key }) => !hiddenLabelsPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  return (
    <div className={styles.story}>
      <div className={styles.line}>
        <StatePill state={state.current} size="lg" />
        <span className={styles.when}>
          <strong>
            <Duration from={state.startDate} to={isOver ? (state.endDate ?? state.startDate) : undefined} />
          </strong>
          <span className={styles.quiet}>
            <Trans
              i18nKey="execution.started"
              components={{
                when: isOver ? <DateAgo value={state.startDate} /> : <DateTime value={state.startDate} />,
              }}
            />
          </span>
        </span>
        <Starter execution={execution} />
        <Link
          className={styles.quiet}
          to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
          params={{ namespace, id: flowId, tab: 'revisions' }}
          search={{}}
        >
          {t('revision.name', { revision: flowRevision })}
        </Link>
        <Tags items={labels} max={4} />
        {!isConnected && <span className={styles.broken}>{t('execution.reconnecting')}</span>}
      </div>
      {state.current === 'FAILED' && <Failure execution={execution} />}
      <RunProgress execution={execution} />
    </div>
  );
}

function Starter({ execution: { trigger, parentId, scheduleDate } }: { execution: Execution }) {
  const { t } = useTranslation();
  if (trigger)
    return (
      <span className={styles.quiet} title={trigger.type}>
        {t('execution.byTrigger', { id: trigger.id })}
      </span>
    );
  if (parentId)
    return <span className={styles.quiet}>{t('execution.byParent', { id: parentId.slice(0, 8) })}</span>;
  return <span className={styles.quiet}>{t(scheduleDate ? 'execution.planned' : 'execution.byHand')}</span>;
}

function Failure({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const { data: errors } = useQuery(errorLogsQuery(execution.id));
  const failed = findFailure(execution);
  const message = errors?.findLast((entry) => !failed || entry.taskRunId === failed.id) ?? errors?.at(-1);
  return (
    <div className={styles.failure}>
      {failed && <strong>{t('execution.failedAt', { task: failed.taskId })}</strong>}
      <code className={styles.message}>{message?.message ?? t('execution.noError')}</code>
      <ExecutionLink {...execution} tab="logs" taskRunId={failed?.id} className={styles.show}>
        {t('execution.showLog')}
      </ExecutionLink>
    </div>
  );
}
