import {
  type Execution,
  isCreated,
  isTerminal,
  playgroundKind,
  type StateType,
  type TaskRun,
} from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { formatNumber } from '../../../format/number.ts';
import { openTime } from '../../../format/openTime.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { DateAgo, PlaygroundIcon, StatePill, stateColours, Tags, TimeOpen } from '../../../ui/index.ts';
import { useInstant } from '../../../ui/instant.ts';
import { lazyPart, Nothing } from '../../../ui/lazyPart.tsx';
import { TextWithElements } from '../../../ui/values/TextWithElements.tsx';
import { ExecutionLink, ExecutionReferenceLink, parentOf } from '../ExecutionLink.tsx';
import { errorLogsQuery, latestFlowQuery } from '../queries.ts';
import styles from './ExecutionSummary.module.css';
import { moreTaskRuns } from './ExecutionTab.tsx';
import { originOf } from './ForkFacts.tsx';

const WaitingReasons = lazyPart(() => import('./WaitingReasons.tsx'), 'WaitingReasons', Nothing);

/** The whole story in two lines: how it stands, since when, how long, who started it, and what failed where. */
export function ExecutionSummary({ execution, isConnected }: { execution: Execution; isConnected: boolean }) {
  const { t } = useTranslation();
  const { hiddenLabelsPrefixes } = useConfiguration();
  const instant = useInstant();
  const { state, flowRevision, namespace, flowId } = execution;
  const labels = execution.labels.filter(
    ({ key }) => !hiddenLabelsPrefixes.some((prefix) => key.startsWith(prefix)),
  );
  return (
    <div className={styles.story} data-moment={instant?.atMs}>
      <div className={styles.line}>
        <StatePill state={state.current} size="lg" />
        <span className={styles.when}>
          <strong>
            <TimeOpen time={openTime(state)} />
          </strong>
          <span className={styles.quiet}>
            <TextWithElements
              text={t('execution.started')}
              parts={{ when: <DateAgo value={state.startDate} /> }}
            />
          </span>
        </span>
        <Starter execution={execution} />
        {execution.kind === playgroundKind && <PlaygroundIcon />}
        {flowRevision < 0 && execution.kind === playgroundKind ? (
          <span className={styles.quiet}>{t('playground.draft')}</span>
        ) : flowRevision < 0 ? (
          <Link
            className={styles.quiet}
            to="/{-$tenant}/executions/compare"
            search={{ left: execution.parentId, right: execution.id, part: 'source' }}
          >
            {t('fork.draft')}
          </Link>
        ) : (
          <Link
            className={styles.quiet}
            to="/{-$tenant}/flows/edit/$namespace/$id/{-$tab}"
            params={{ namespace, id: flowId, tab: 'revisions' }}
            search={{}}
          >
            {t('revision.name', { revision: flowRevision })}
            <Outdated execution={execution} />
          </Link>
        )}
        <Tags items={labels} max={4} wrap />
        {!isConnected && <span className={styles.broken}>{t('execution.reconnecting')}</span>}
      </div>
      {state.current === 'FAILED' && <Failure execution={execution} />}
      {/* The server explains the present only. */}
      {!instant && mayWait(execution) && (
        <Suspense>
          <WaitingReasons execution={execution} />
        </Suspense>
      )}
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
  const origin = originOf(execution);
  if (origin !== undefined)
    return (
      <span className={styles.quiet}>
        <TextWithElements
          text={t('fork.of')}
          parts={{
            execution: (
              <ExecutionLink namespace={execution.namespace} flowId={execution.flowId} id={origin}>
                <code>{origin.slice(0, 8)}</code>
              </ExecutionLink>
            ),
          }}
        />
      </span>
    );
  if (parent)
    return (
      <span className={styles.quiet}>
        <TextWithElements
          text={t('execution.byExecution')}
          parts={{ execution: <ExecutionReferenceLink {...parent} id={parent.id} /> }}
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
  const by = execution.state.histories[0]?.by;
  return (
    <span className={styles.quiet}>
      {t(scheduleDate ? 'execution.planned' : 'execution.byHand')}
      {by?.type === 'user' && <> · {by.id}</>}
    </span>
  );
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

/** The task runs of an execution by state, as one thin band. */
function RunProgress({ execution }: { execution: Execution }) {
  const { t } = useTranslation();
  const counts = new Map<StateType, number>();
  for (const run of leafRuns(execution))
    counts.set(run.state.current, (counts.get(run.state.current) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${formatNumber(count)} ${t(`state.${state}`)}`);
  const label = [...parts, moreTaskRuns(execution, t)].filter(Boolean).join(', ');
  return (
    <div className={styles.band} role="img" aria-label={label || t('execution.noTasks')} title={label}>
      {[...counts].map(([state, count]) => (
        <span key={state} data-state={state} style={{ ...stateColours(state), flexGrow: count }} />
      ))}
    </div>
  );
}

/**
 * The task run where an execution failed: among the failed ones, the first that has no failed child, because a
 * parent fails only through its children.
 */
function findFailure({ taskRunList = [] }: Execution): TaskRun | undefined {
  const failed = taskRunList.filter((run) => run.state.current === 'FAILED');
  const parents = new Set(failed.map((run) => run.parentTaskRunId));
  return failed.find((run) => !parents.has(run.id));
}

/** Task runs without children: the ones that do the work. */
function leafRuns({ taskRunList = [] }: Execution): TaskRun[] {
  const parents = new Set(taskRunList.map((run) => run.parentTaskRunId));
  return taskRunList.filter((run) => !parents.has(run.id));
}

const waiting: ReadonlySet<StateType> = new Set(['PAUSED', 'QUEUED', 'RETRYING', 'BREAKPOINT', 'RETRIED']);

/** Whether the server can say why an execution does not continue: it waits itself, or one of its task runs does. */
function mayWait({ state, scheduleDate, taskRunList = [] }: Execution): boolean {
  if (waiting.has(state.current)) return true;
  if (state.current === 'CREATED') return scheduleDate !== undefined;
  if (state.current !== 'RUNNING') return false;
  const parents = new Set(taskRunList.map((run) => run.parentTaskRunId));
  const open = taskRunList.filter((run) => !isTerminal(run.state.current));
  const openParents = new Set(open.map((run) => run.parentTaskRunId));
  return open.some((run) => {
    const { current } = run.state;
    // A loop between two rounds has children, and none of them is open.
    const isIdle = current === 'RUNNING' && parents.has(run.id) && !openParents.has(run.id);
    return isIdle || isCreated(current) || waiting.has(current);
  });
}
