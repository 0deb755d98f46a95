import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import { openTime } from '../../../format/openTime.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { CardError } from '../../../ui/Card.tsx';
import { DateAgo, StatePill, TimeOpen } from '../../../ui/index.ts';
import { SkeletonList } from '../../../ui/Loading.tsx';
import { ExecutionLink, errorLogsQuery, executionsQuery } from '../../executions/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { NextRun, TriggerSwitch, triggersQuery } from '../../triggers/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';
import type { When } from './Figures.tsx';

interface ListCardProps {
  title: string;
  query: { data: unknown; error: Error | null; refetch: () => unknown };
  /** Beside the title: the way to everything. */
  action?: ReactNode;
  isEmpty: boolean;
  empty: string;
  /** The number of rows of this height to reserve, so that nothing moves when they arrive. */
  rows: number;
  rowHeight: number;
  children: ReactNode;
}

/** A card with the first few of something. */
export function ListCard(props: ListCardProps) {
  const { title, query, action, isEmpty, empty, rows, rowHeight, children } = props;
  const height = { '--height': `${rows * rowHeight}px` } as CSSProperties; // React's type knows no custom properties.
  return (
    <Card title={title} action={action}>
      <div className={styles.body} style={height}>
        {query.error && !query.data && (
          <CardError message={query.error.message} onRetry={() => void query.refetch()} />
        )}
        {!query.data && !query.error && <SkeletonList rows={rows} rowHeight={rowHeight} />}
        {query.data !== undefined && isEmpty && <p className={styles.empty}>{empty}</p>}
        {query.data !== undefined && !isEmpty && children}
      </div>
    </Card>
  );
}

/** A flow in a row: its id, and its namespace as far as there is room. */
export const FlowWithNamespace = ({ namespace, flowId }: { namespace: string; flowId: string }) => (
  <span className={styles.flow}>
    <FlowLink namespace={namespace} id={flowId} />
    <span className={styles.namespace} title={namespace}>
      {namespace}
    </span>
  </span>
);

const underWay = ['RUNNING', 'PAUSED', 'RESTARTED', 'KILLING', 'QUEUED', 'RETRYING'] as const;
const shown = 5;

interface RunningNowProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function RunningNow({ namespace, refetchInterval }: RunningNowProps) {
  const { t } = useTranslation();
  const search = { namespace, state: [...underWay], timeRange: 'P365D' };
  const query = useQuery({ ...executionsQuery({ ...search, size: shown }), refetchInterval });
  const { data } = query;
  return (
    <ListCard
      title={t('dashboard.running')}
      query={query}
      isEmpty={data?.results.length === 0}
      empty={t('dashboard.nothingRuns')}
      rows={shown}
      rowHeight={36}
      action={
        data !== undefined &&
        data.total > 0 && (
          <Link to="/{-$tenant}/executions" search={search}>
            {t('dashboard.seeAll', { count: data.total })}
          </Link>
        )
      }
    >
      <ul className={styles.rows}>
        {data?.results.map((execution) => (
          <li key={execution.id} className={styles.row}>
            <StatePill state={execution.state.current} />
            <ExecutionLink {...execution}>{execution.id.slice(0, 8)}</ExecutionLink>
            <FlowWithNamespace {...execution} />
            <TimeOpen time={openTime(execution.state)} />
          </li>
        ))}
      </ul>
    </ListCard>
  );
}

const triggerCount = 5;
/** Every date there can be: triggers without one would come first. */
const dated = { 'filters[nextExecutionDate][GREATER_THAN]': '1970-01-01T00:00:00Z' };

interface NextRunsProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function NextRuns({ namespace, refetchInterval }: NextRunsProps) {
  const { t } = useTranslation();
  const query = useQuery({
    ...triggersQuery({ namespace, ...dated, sort: 'nextExecutionDate:asc', size: triggerCount }),
    refetchInterval,
  });
  const { data } = query;
  return (
    <ListCard
      title={t('dashboard.next')}
      query={query}
      isEmpty={data?.total === 0}
      empty={t('dashboard.nothingNext')}
      rows={triggerCount}
      rowHeight={36}
      action={
        data !== undefined &&
        data.total > 0 && (
          <Link to="/{-$tenant}/admin/triggers" search={{ namespace, sort: 'nextExecutionDate:asc' }}>
            {t('dashboard.seeAll', { count: data.total })}
          </Link>
        )
      }
    >
      <ul className={styles.rows}>
        {data?.results.map((trigger) => {
          const { namespace: of, flowId, triggerId, nextExecutionDate, disabled } = trigger.triggerContext;
          return (
            <li key={`${of}.${flowId}.${triggerId}`} className={styles.row}>
              <TriggerSwitch trigger={trigger} />
              <span className={styles.trigger}>{triggerId}</span>
              <FlowWithNamespace namespace={of} flowId={flowId} />
              {disabled || !nextExecutionDate ? '–' : <NextRun trigger={trigger.triggerContext} />}
            </li>
          );
        })}
      </ul>
    </ListCard>
  );
}

const failureCount = 5;

interface LastFailuresProps {
  when: When;
  refetchInterval: number | false;
}

export function LastFailures({ when, refetchInterval }: LastFailuresProps) {
  const { t } = useTranslation();
  const search = { ...when, state: ['FAILED' as const] };
  const query = useQuery({
    ...executionsQuery({ ...search, kind: 'NORMAL', size: failureCount }),
    refetchInterval,
  });
  const { data } = query;
  return (
    <ListCard
      title={t('dashboard.failures')}
      query={query}
      isEmpty={data?.results.length === 0}
      empty={t('dashboard.nothingFailed')}
      rows={failureCount}
      rowHeight={57}
      action={
        data !== undefined &&
        data.total > 0 && (
          <Link to="/{-$tenant}/executions" search={search}>
            {t('dashboard.seeAll', { count: data.total })}
          </Link>
        )
      }
    >
      <ul className={styles.rows}>
        {data?.results.map((execution) => (
          <Failure key={execution.id} execution={execution} />
        ))}
      </ul>
    </ListCard>
  );
}

/** A failed execution with the last error line of its log. */
function Failure({ execution }: { execution: Execution }) {
  const { data: errors } = useQuery({ ...errorLogsQuery(execution.id), staleTime: 60_000 });
  const reason = errors?.at(-1)?.message?.split('\n', 1)[0];
  return (
    <li className={styles.failure}>
      <span className={styles.row}>
        <ExecutionLink {...execution} tab="logs">
          {execution.id.slice(0, 8)}
        </ExecutionLink>
        <FlowWithNamespace {...execution} />
        <DateAgo value={execution.state.startDate} />
      </span>
      <p className={styles.reason} title={reason}>
        {reason}
      </p>
    </li>
  );
}
