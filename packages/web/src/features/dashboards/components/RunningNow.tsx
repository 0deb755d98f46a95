import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Duration, StatePill } from '../../../ui/index.ts';
import { ExecutionLink, executionsQuery } from '../../executions/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const underWay = ['RUNNING', 'PAUSED', 'RESTARTED', 'KILLING', 'QUEUED', 'RETRYING'] as const;
const shown = 5;

interface RunningNowProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function RunningNow({ namespace, refetchInterval }: RunningNowProps) {
  const { t } = useTranslation();
  const search = { namespace, state: [...underWay], timeRange: 'P365D' };
  const { data } = useQuery({ ...executionsQuery({ ...search, size: shown }), refetchInterval });
  return (
    <Card
      title={t('dashboard.running')}
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
      {data?.results.length === 0 && <p className={styles.quiet}>{t('dashboard.nothingRuns')}</p>}
      <ul className={styles.rows}>
        {data?.results.map((execution) => (
          <li key={execution.id} className={styles.row}>
            <StatePill state={execution.state.current} />
            <ExecutionLink {...execution}>{execution.id.slice(0, 8)}</ExecutionLink>
            <FlowLink namespace={execution.namespace} id={execution.flowId} className={styles.grow} />
            <Duration from={execution.state.startDate} to={undefined} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
