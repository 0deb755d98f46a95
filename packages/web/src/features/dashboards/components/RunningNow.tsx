import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { openTime } from '../../../format/openTime.ts';
import { StatePill, TimeOpen } from '../../../ui/index.ts';
import { ExecutionLink, executionsQuery } from '../../executions/index.ts';
import styles from './dashboard.module.css';
import { FlowOf } from './FlowOf.tsx';
import { ListCard } from './ListCard.tsx';

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
            <FlowOf {...execution} />
            <TimeOpen time={openTime(execution.state)} />
          </li>
        ))}
      </ul>
    </ListCard>
  );
}
