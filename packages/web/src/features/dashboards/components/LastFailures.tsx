import type { Execution } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import { ExecutionLink, errorLogsQuery, executionsQuery } from '../../executions/index.ts';
import styles from './dashboard.module.css';
import type { When } from './Figures.tsx';
import { FlowOf } from './FlowOf.tsx';
import { ListCard } from './ListCard.tsx';

const shown = 5;

interface LastFailuresProps {
  when: When;
  refetchInterval: number | false;
}

export function LastFailures({ when, refetchInterval }: LastFailuresProps) {
  const { t } = useTranslation();
  const search = { ...when, state: ['FAILED' as const] };
  const query = useQuery({ ...executionsQuery({ ...search, size: shown }), refetchInterval });
  const { data } = query;
  return (
    <ListCard
      title={t('dashboard.failures')}
      query={query}
      isEmpty={data?.results.length === 0}
      empty={t('dashboard.nothingFailed')}
      rows={shown}
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
        <FlowOf {...execution} />
        <DateAgo value={execution.state.startDate} />
      </span>
      <p className={styles.reason} title={reason}>
        {reason}
      </p>
    </li>
  );
}
