import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateAgo } from '../../../ui/index.ts';
import { FlowLink } from '../../flows/index.ts';
import { TriggerSwitch, triggersQuery } from '../../triggers/index.ts';
import { Card } from './Card.tsx';
import styles from './dashboard.module.css';

const shown = 5;
/** Triggers without a date come first in the server's order, so more are asked for than are shown. */
const asked = 500;

interface FiresNextProps {
  namespace: string | undefined;
  refetchInterval: number | false;
}

export function FiresNext({ namespace, refetchInterval }: FiresNextProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...triggersQuery({ namespace, sort: 'nextExecutionDate:asc', size: asked }),
    refetchInterval,
  });
  const dated = data?.results.filter(({ triggerContext }) => triggerContext.nextExecutionDate !== undefined);
  return (
    <Card
      title={t('dashboard.next')}
      columns={6}
      action={
        <Link to="/{-$tenant}/admin/triggers" search={{ namespace, sort: 'nextExecutionDate:asc' }}>
          {t('dashboard.seeAll', { count: dated?.length ?? 0 })}
        </Link>
      }
    >
      {dated?.length === 0 && <p className={styles.quiet}>{t('dashboard.nothingNext')}</p>}
      <ul className={styles.rows}>
        {dated?.slice(0, shown).map((trigger) => {
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
