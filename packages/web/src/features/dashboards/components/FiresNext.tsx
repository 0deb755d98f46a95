import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { TriggerSwitch, triggersQuery } from '../../triggers/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const shown = 5;
/** Every date there can be: triggers without one would come first. */
const dated = { 'filters[nextExecutionDate][GREATER_THAN]': '1970-01-01T00:00:00Z' };

interface FiresNextProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function FiresNext({ namespace, refetchInterval }: FiresNextProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...triggersQuery({ namespace, ...dated, sort: 'nextExecutionDate:asc', size: shown }),
    refetchInterval,
  });
  return (
    <Card
      title={t('dashboard.next')}
      columns={6}
      action={
        data !== undefined &&
        data.total > 0 && (
          <Link to="/{-$tenant}/admin/triggers" search={{ namespace, sort: 'nextExecutionDate:asc' }}>
            {t('dashboard.seeAll', { count: data.total })}
          </Link>
        )
      }
    >
      {data?.total === 0 && <p className={styles.quiet}>{t('dashboard.nothingNext')}</p>}
      <ul className={styles.rows}>
        {data?.results.map((trigger) => {
          const { namespace: of, flowId, triggerId, nextExecutionDate, disabled } = trigger.triggerContext;
          return (
            <li key={`${of}.${flowId}.${triggerId}`} className={styles.row}>
              <TriggerSwitch trigger={trigger} />
              <span>{triggerId}</span>
              <FlowLink namespace={of} id={flowId} className={styles.grow} />
              {disabled || !nextExecutionDate ? '–' : <DateAgo value={nextExecutionDate} />}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
