import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import { ExecutionLink, errorLogsQuery, executionsQuery } from '../../executions/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const shown = 5;

interface LastFailuresProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function LastFailures({ namespace, refetchInterval }: LastFailuresProps) {
  const { t } = useTranslation();
  const search = { namespace, state: ['FAILED' as const] };
  const { data } = useQuery({ ...executionsQuery({ ...search, size: shown }), refetchInterval });
  return (
    <Card
      title={t('dashboard.failures')}
      columns={6}
      action={
        data !== undefined &&
        data.total > 0 && (
          <Link to="/{-$tenant}/executions" search={search}>
            {t('dashboard.seeAll', { count: data.total })}
          </Link>
        )
      }
    >
      {data?.results.length === 0 && <p className={styles.quiet}>{t('dashboard.nothingFailed')}</p>}
      <ul className={styles.rows}>
        {data?.results.map((execution) => (
          <Failure key={execution.id} execution={execution} />
        ))}
      </ul>
    </Card>
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
        <FlowLink namespace={execution.namespace} id={execution.flowId} className={styles.grow} />
        <DateAgo value={execution.state.startDate} />
      </span>
      {reason && (
        <p className={styles.reason} title={reason}>
          {reason}
        </p>
      )}
    </li>
  );
}
