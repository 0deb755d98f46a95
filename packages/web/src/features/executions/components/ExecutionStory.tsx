import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { openTime } from '../../../format/openTime.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo, StatePill, Tags, TimeOpen } from '../../../ui/index.ts';
import { TextWith } from '../../../ui/TextWith.tsx';
import { findFailure } from '../failure.ts';
import { parentOf } from '../parentOf.ts';
import { errorLogsQuery, latestFlowQuery } from '../queries.ts';
import { CrossLink } from './CrossLink.tsx';
import { ExecutionLink } from './ExecutionLink.tsx';
import styles from './ExecutionStory.module.css';
import { RunProgress } from './RunProgress.tsx';

/** The whole story in two lines: how it stands, since when, how long, who started it, and what failed where. */
export function ExecutionStory({ execution, isConnected }: { execution: Execution; isConnected: boolean }) {
  const { t } = useTranslation();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const { state, flowRevision, namespace, flowId } = execution;
  const labels = execution.labels.filter(
    ({ key }) => !hiddenLabelsPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  return (
    <div className={styles.story}>
      <div className={styles.line}>
        <StatePill state={state.current} size="lg" />
        <span className={styles.when}>
          <strong>
            <TimeOpen time={openTime(state)} />
          </strong>
          <span className={styles.quiet}>
            <TextWith text={t('execution.started')} parts={{ when: <DateAgo value={state.startDate} /> }} />
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
          <Outdated execution={execution} />
        </Link>
        <Tags items={labels} max={4} wrap />
        {!isConnected && <span className={styles.broken}>{t('execution.reconnecting')}</span>}
      </div>
      {state.current === 'FAILED' && <Failure execution={execution} />}
      <RunProgress execution={execution} />
    </div>
  );
}

/** Says beside the revision that the flow has been saved since. */
function Outdated({ execution: { namespace, flowId, flowRevision } }: { execution: Execution }) {
  const { t } = useTranslation();
  const { data } = useQuery(latestFlowQuery({ namespace, id: flowId }));
  if (!data || data.revision <= flowRevision) return null;
  return (
    <Hint label={t('execution.outdatedHint')} multiline maw={320}>
      <span className={styles.outdated}>{t('execution.outdated', { latest: data.revision })}</span>
    </Hint>
  );
}

function Starter({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const { trigger, parentId, scheduleDate } = execution;
  const parent = parentOf(execution);
  if (parent)
    return (
      <span className={styles.quiet}>
        <TextWith
          text={t('execution.byExecution')}
          parts={{ execution: <CrossLink {...parent} id={parent.id} /> }}
        />
      </span>
    );
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
  const others = (errors?.length ?? 0) - 1;
  const message = errors?.findLast((entry) => !failed || entry.taskRunId === failed.id) ?? errors?.at(-1);
  return (
    <div className={styles.failure}>
      <strong>{t('execution.failed')}</strong>
      {failed && <span className={styles.where}>{failed.taskId}</span>}
      <code className={styles.message}>{message?.message ?? t('execution.noError')}</code>
      {others > 0 && (
        <Link
          to="/{-$tenant}/executions/$namespace/$flowId/$id/{-$tab}"
          params={{ namespace: execution.namespace, flowId: execution.flowId, id: execution.id, tab: 'logs' }}
          search={{ level: 'ERROR' }}
          className={styles.show}
        >
          {t('execution.moreErrors', { count: others })}
        </Link>
      )}
      <ExecutionLink {...execution} tab="logs" taskRunId={failed?.id} className={styles.show}>
        {t('execution.showLog')}
      </ExecutionLink>
    </div>
  );
}
