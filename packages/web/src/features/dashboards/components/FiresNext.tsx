import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import { TriggerSwitch, triggersQuery } from '../../triggers/index.ts';
import styles from './dashboard.module.css';
import { FlowOf } from './FlowOf.tsx';
import { ListCard } from './ListCard.tsx';

const shown = 5;
/** Every date there can be: triggers without one would come first. */
const dated = { 'filters[nextExecutionDate][GREATER_THAN]': '1970-01-01T00:00:00Z' };

interface FiresNextProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function FiresNext({ namespace, refetchInterval }: FiresNextProps) {
  const { t } = useTranslation();
  const query = useQuery({
    ...triggersQuery({ namespace, ...dated, sort: 'nextExecutionDate:asc', size: shown }),
    refetchInterval,
  });
  const { data } = query;
  return (
    <ListCard
      title={t('dashboard.next')}
      query={query}
      isEmpty={data?.total === 0}
      empty={t('dashboard.nothingNext')}
      rows={shown}
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
              <FlowOf namespace={of} flowId={flowId} />
              {disabled || !nextExecutionDate ? '–' : <DateAgo value={nextExecutionDate} />}
            </li>
          );
        })}
      </ul>
    </ListCard>
  );
}
